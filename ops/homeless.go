package ops

import _ "pacia/internal/gotchcache" // before gotch, which needs a folder below HOME
