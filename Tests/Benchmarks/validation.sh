# Counts the instructions of one validation of a PIN at the provider. To be sourced by instructions.sh.
#
#   count_validation SCRATCH PROVIDER LOAD
#
# Prints "validation COUNT". The provider and its evaluator, as they are shipped, run under callgrind, which counts
# only while one wallet checks its PIN; the lowest of several rounds counts, each the mean of many validations. What
# the system does for them, above all with the disk, has no instructions here.
validation_rounds=3
validations_per_round=30

count_validation() {
  local scratch=$1/validation
  mkdir "$scratch"
  # Nothing is counted before the first validation, so what starts the provider and ends it does not matter.
  cat >"$scratch/counted" <<END
#!/usr/bin/env bash
[[ \$1 == serve ]] || exec "$2" "\$@"
exec valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$scratch/count" "$2" "\$@"
END
  chmod +x "$scratch/counted"
  # Swift's hash tables have the same order each time.
  (
    export SWIFT_DETERMINISTIC_HASHING=1 WALLET_PROVIDER_ADDRESS_RATE=0
    trap end_provider EXIT
    start_provider "$scratch" "$scratch/counted" --log-level error || exit 1
    coproc client { "$3" validations --configuration "$provider_configuration" --count "$validations_per_round"; }
    # shellcheck disable=SC2154 # made by coproc
    read -r -u "${client[0]}" -t "$PROGRAM_PATIENCE" || exit 1
    for ((round = 0; round < validation_rounds; round++)); do
      callgrind_control --instr=on "$provider_pid" >&2 || exit 1
      echo go >&"${client[1]}"
      read -r -u "${client[0]}" -t "$PROGRAM_PATIENCE" || exit 1
      callgrind_control --instr=off "$provider_pid" >&2 || exit 1
      callgrind_control --dump=validation "$provider_pid" >&2 || exit 1
    done
  ) 2>"$scratch/log" || { cat "$scratch/log" "$scratch/provider.log" >&2 && return 1; }
  awk -v count="$validations_per_round" '
    /^desc: Trigger: .*validation/ { is_round = 1 }
    /^totals: / { if (is_round && (least == "" || $2 < least)) least = $2; is_round = 0 }
    END { if (least == "") exit 1; printf "validation %d\n", least / count }
  ' "$scratch"/count.[0-9]*
}
