internal import CSodium

/// Stretches a PIN with Argon2id (RFC 9106, libsodium `crypto_pwhash`), the first step to its key.
public enum PinKey {
  /// The work that one guess of the PIN costs. The parameters are stored with the registration,
  /// because with other parameters the same PIN gives another key.
  public struct Parameters: Equatable, Sendable {
    public let passes: UInt32
    public let memoryBytes: UInt64

    /// The minimum, whatever a configuration says: 3 passes over 64 MiB.
    public static let floor = Parameters(unchecked: 3, 64 * 1024 * 1024)
    /// The maximum, so that no configuration makes a phone unusable: 10 passes over 256 MiB, some
    /// 13 times the work of the floor. A system may end an app that uses more memory.
    public static let ceiling = Parameters(unchecked: 10, 256 * 1024 * 1024)

    private init(unchecked passes: UInt32, _ memoryBytes: UInt64) {
      self.passes = passes
      self.memoryBytes = memoryBytes
    }

    /// Creates the given parameters, raised to the floor and lowered to the ceiling.
    public init(passes: UInt32, memoryBytes: UInt64) {
      self.passes = min(max(passes, Self.floor.passes), Self.ceiling.passes)
      self.memoryBytes = min(max(memoryBytes, Self.floor.memoryBytes), Self.ceiling.memoryBytes)
    }

    /// Creates the parameters that a key was derived with, exactly as they were stored, even if
    /// they are outside today's bounds. Other numbers would give another key, and the right PIN
    /// would fail.
    public init(storedPasses passes: UInt32, storedMemoryBytes memoryBytes: UInt64) {
      self.init(unchecked: passes, memoryBytes)
    }

    /// Returns the higher number of passes and the larger memory of the two.
    public func raised(to other: Parameters) -> Parameters {
      Parameters(
        passes: max(passes, other.passes), memoryBytes: max(memoryBytes, other.memoryBytes))
    }
  }

  /// The length of salts in bytes.
  public static let saltLength = Int(crypto_pwhash_SALTBYTES)

  /// Stretches `pin` under `salt`. Takes the time and memory that `parameters` demand.
  public static func stretch(
    _ pin: Pin, salt: Secret, parameters: Parameters
  ) throws -> StretchedPin {
    guard salt.count == saltLength else { throw CryptoError.wrongLength }
    let length = StretchedPin.length
    let secret = try Secret.filled(count: length) { target in
      let status = pin.secret.withPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self, capacity: pin.secret.count) { characters in
          defer { Sodium.wipeStack() }
          return salt.withPointer { salt in
            crypto_pwhash(
              target, UInt64(length), characters, UInt64(pin.secret.count), salt,
              UInt64(parameters.passes), Int(clamping: parameters.memoryBytes),
              crypto_pwhash_ALG_ARGON2ID13)
          }
        }
      }
      guard status == 0 else { throw CryptoError.outOfMemory }
    }
    return StretchedPin(secret)
  }
}
