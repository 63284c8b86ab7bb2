package statedict

// pickleMagic starts a pickle of protocol 2, PyTorch's own.
var pickleMagic = []byte{opProto, 2}

// The opcodes that torch.save uses for tensors in dictionaries.
const (
	opProto          = 0x80
	opFrame          = 0x95
	opStop           = '.'
	opMark           = '('
	opPop            = '0'
	opNone           = 'N'
	opTrue           = 0x88
	opFalse          = 0x89
	opInt            = 'J'
	opInt1           = 'K'
	opInt2           = 'M'
	opLong1          = 0x8a
	opFloat          = 'G'
	opUnicode        = 'X'
	opShortUnicode   = 0x8c
	opString         = 'T'
	opShortString    = 'U'
	opEmptyDict      = '}'
	opEmptyList      = ']'
	opEmptyTuple     = ')'
	opTuple          = 't'
	opTuple1         = 0x85
	opTuple2         = 0x86
	opTuple3         = 0x87
	opAppend         = 'a'
	opAppends        = 'e'
	opSetItem        = 's'
	opSetItems       = 'u'
	opPut            = 'q'
	opLongPut        = 'r'
	opMemoize        = 0x94
	opGet            = 'h'
	opLongGet        = 'j'
	opGlobal         = 'c'
	opStackGlobal    = 0x93
	opReduce         = 'R'
	opBuild          = 'b'
	opPersistentName = 'Q'
)
