# Writes OUTPUT, a C file that holds the bytes of INPUT as `const unsigned char SYMBOL[]` and their number as
# `const size_t SYMBOLSize`. Run with cmake -P.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)"
  "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT}
  "// Made from ${INPUT}.\n#include <stddef.h>\n"
  "extern const unsigned char ${SYMBOL}[];\nextern const size_t ${SYMBOL}Size;\n"
  "const unsigned char ${SYMBOL}[] = {\n${bytes}\n};\nconst size_t ${SYMBOL}Size = sizeof ${SYMBOL};\n")
