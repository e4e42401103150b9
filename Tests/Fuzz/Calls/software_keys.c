/* P-256 keys as in the example. */
#include "../../../Examples/C/software_keys.c"
