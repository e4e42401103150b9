extension SQLiteSchema {
  /// The wrong PINs since the registration, the time of the last one, and those of the last days.
  static let failures = """
    ALTER TABLE wallet ADD COLUMN failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0);
    ALTER TABLE wallet ADD COLUMN failed_at INTEGER;
    ALTER TABLE wallet ADD COLUMN failed_days TEXT;
    """
}
