extension SQLiteSchema {
  /// The key of a new PIN that is not committed yet, and the last committed change.
  static let pinChange = """
    ALTER TABLE wallet ADD COLUMN pending_change TEXT;
    ALTER TABLE wallet ADD COLUMN pending_sealed_pin_key BLOB
      CHECK ((pending_sealed_pin_key IS NULL) = (pending_change IS NULL));
    ALTER TABLE wallet ADD COLUMN committed_change TEXT;
    """
}
