/* Uses the types of the host's own module, so that they are not declared twice. */
#include "../../../../../../Sources/Bindings/swift/Sources/CWalletCore/shim.h"
#include <wallet_core_testing.h>
