# SPDX-License-Identifier: Apache-2.0
"""A phone in the browser: the real core and the real provider, and everything that passes between them."""
