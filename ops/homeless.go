package ops

import _ "pacia/internal/homeless" // before gotch, which wants a folder below HOME
