/* A process as the other tests see it. */
#include "../../ABI/process.c"
