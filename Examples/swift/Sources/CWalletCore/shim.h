#include <wallet_core.h>
