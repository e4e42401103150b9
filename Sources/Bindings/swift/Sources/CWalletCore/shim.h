// SPDX-License-Identifier: Apache-2.0
#include <wallet_core.h>
