#!/usr/bin/env bash
# The program's own information: its version is the header's, its options are in the groups of the article.
#
#   Tests/Install/help.sh WALLET_PROVIDER
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
source Tests/ABI/report.sh
provider=$1

number() { sed -n "s/^#define WALLET_CORE_VERSION_$1 //p" Include/wallet_core.h; }
same "the version is that of the header" \
  "wallet-provider $(number MAJOR).$(number MINOR).$(number PATCH)" "$("$provider" --version)"

# Each section in capitals, and the settings in it.
in_article=$(awk '/^## / { print toupper(substr($0, 4)) } /^\| `/ { print "  " $2 }' \
  Sources/wallet_core/wallet_core.docc/settings.md | tr -d '`')
for command in serve check "config show"; do
  # shellcheck disable=SC2086 # the command is words
  same "the options of $command stand in the groups of the article, in its order" "$in_article" \
    "$("$provider" $command --help |
      sed -nE 's/^([A-Z ]+):$/\1/p; s/^  --([a-z-]+).*/  \1/p' |
      grep -vxE '(OPTIONS|  config|  version|  help)')"
done
holds "the file of settings is the first option" grep -qxE '  --config <config>.*' \
  <("$provider" serve --help | grep -A 1 -x 'SERVER:' | tail -1)
same "commands stand in groups too" "\
RUNNING SUBCOMMANDS:
  serve
  evaluate
  check
  config
ADMINISTRATION SUBCOMMANDS:
  account
  wallet
  keys
APPS SUBCOMMANDS:
  client-configuration
  update-policy" "$("$provider" --help | sed -n '/SUBCOMMANDS/,$p' | grep -oE '^([A-Z ]+SUBCOMMANDS:|  [a-z-]+)( |$)' | sed 's/ *$//')"
