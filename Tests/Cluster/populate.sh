# A provider with many wallets, for tests and benchmarks. To be sourced after cluster.sh.
#
#   populate SCRATCH COUNT    adds copies of the first wallet of the replicas in SCRATCH until there are COUNT. They are in
#                             the provider's store alone: the evaluator has the PIN keys of none of them.

populate() {
  if [[ -n $database_url ]]; then
    "$(postgresql psql)" --quiet --no-psqlrc -v ON_ERROR_STOP=1 "$database_url" -c "
      DO \$\$ DECLARE columns text; BEGIN
        SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) INTO columns
          FROM information_schema.columns WHERE table_name = 'wallet'
          AND column_name NOT IN ('id', 'registration', 'hardware_key_hash');
        EXECUTE format('INSERT INTO wallet (id, registration, hardware_key_hash, %s)
          SELECT md5(n::text), md5(n::text), sha256(n::text::bytea), %s
          FROM (SELECT * FROM wallet LIMIT 1) AS first,
            generate_series((SELECT count(*) + 1 FROM wallet), $2) AS n', columns, columns);
      END \$\$" -c 'ANALYZE wallet'
  else
    python3 - "$1/replica-0/wallet-provider.sqlite" "$2" <<'END'
import hashlib, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.row_factory = sqlite3.Row
first = dict(database.execute("SELECT * FROM wallet LIMIT 1").fetchone())
count = database.execute("SELECT count(*) FROM wallet").fetchone()[0]
def wallet(n):
    text = hashlib.md5(str(n).encode()).hexdigest()
    return {**first, "id": text, "registration": text,
            "hardware_key_hash": hashlib.sha256(text.encode()).digest()}
names = ", ".join(first)
places = ", ".join(":" + name for name in first)
with database:
    database.executemany(f"INSERT INTO wallet ({names}) VALUES ({places})",
                         (wallet(n) for n in range(count, int(sys.argv[2]))))
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
END
  fi
}
