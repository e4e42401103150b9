/* The types are those of the host's own module, not declared a second time. */
#include "../../../../../../Sources/Bindings/swift/Sources/CWalletCore/shim.h"
#include <wallet_core_testing.h>
