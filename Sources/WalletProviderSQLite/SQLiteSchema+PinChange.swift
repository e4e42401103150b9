extension SQLiteSchema {
  /// The key of a new PIN that awaits its commit, and the change that was committed last.
  static let pinChange = """
    ALTER TABLE wallet ADD COLUMN pending_change TEXT;
    ALTER TABLE wallet ADD COLUMN pending_sealed_pin_key BLOB
      CHECK ((pending_sealed_pin_key IS NULL) = (pending_change IS NULL));
    ALTER TABLE wallet ADD COLUMN committed_change TEXT;
    """
}
