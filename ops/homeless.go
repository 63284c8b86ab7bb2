package ops

import _ "pacia/internal/gotchcache" // before gotch, which wants a folder below HOME
