import WalletCrypto
import WalletProtocol

/// ES256 for tests: slow, not constant in time, with a nonce that it makes itself. These
/// tests have no library for it, because the core never signs with P-256 itself.
enum P256 {
  /// An element modulo `modulus`, in Montgomery form.
  struct Field {
    let modulus: [UInt64]
    private let inverse: UInt64
    private let square: [UInt64]

    init(_ modulus: [UInt64]) {
      self.modulus = modulus
      var inverse: UInt64 = 1
      for _ in 0..<6 { inverse = inverse &* (2 &- modulus[0] &* inverse) }
      self.inverse = 0 &- inverse
      // 2^512 modulo the modulus, by doubling.
      var square: [UInt64] = [1, 0, 0, 0]
      for _ in 0..<512 { square = Self.sum(square, square, modulus) }
      self.square = square
    }

    static func sum(_ a: [UInt64], _ b: [UInt64], _ modulus: [UInt64]) -> [UInt64] {
      var result = a
      var carry = false
      for i in 0..<4 {
        let (first, one) = a[i].addingReportingOverflow(b[i])
        let (second, two) = first.addingReportingOverflow(carry ? 1 : 0)
        result[i] = second
        carry = one || two
      }
      return carry || !less(result, modulus) ? minus(result, modulus) : result
    }

    static func less(_ a: [UInt64], _ b: [UInt64]) -> Bool {
      for i in (0..<4).reversed() where a[i] != b[i] { return a[i] < b[i] }
      return false
    }

    static func minus(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
      var result = a
      var borrow = false
      for i in 0..<4 {
        let (first, one) = a[i].subtractingReportingOverflow(b[i])
        let (second, two) = first.subtractingReportingOverflow(borrow ? 1 : 0)
        result[i] = second
        borrow = one || two
      }
      return result
    }

    func add(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] { Self.sum(a, b, modulus) }

    func subtract(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
      add(a, b == [0, 0, 0, 0] ? b : Self.minus(modulus, b))
    }

    func multiply(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
      var t: [UInt64] = [0, 0, 0, 0, 0, 0]
      func step(_ factor: UInt64, _ other: [UInt64]) {
        var carry: UInt64 = 0
        for j in 0..<4 {
          let product = factor.multipliedFullWidth(by: other[j])
          let (low, one) = product.low.addingReportingOverflow(t[j])
          let (sum, two) = low.addingReportingOverflow(carry)
          t[j] = sum
          carry = product.high &+ (one ? 1 : 0) &+ (two ? 1 : 0)
        }
        let (sum, overflow) = t[4].addingReportingOverflow(carry)
        t[4] = sum
        t[5] = t[5] &+ (overflow ? 1 : 0)
      }
      for i in 0..<4 {
        step(a[i], b)
        step(t[0] &* inverse, modulus)
        t = Array(t.dropFirst()) + [0]
      }
      let result = Array(t.prefix(4))
      return t[4] != 0 || !Self.less(result, modulus) ? Self.minus(result, modulus) : result
    }

    func enter(_ a: [UInt64]) -> [UInt64] { multiply(a, square) }
    func leave(_ a: [UInt64]) -> [UInt64] { multiply(a, [1, 0, 0, 0]) }

    func inverted(_ a: [UInt64]) -> [UInt64] {
      var exponent = modulus
      exponent[0] -= 2
      var result = enter([1, 0, 0, 0])
      for bit in (0..<256).reversed() {
        result = multiply(result, result)
        if exponent[bit / 64] >> UInt64(bit % 64) & 1 == 1 { result = multiply(result, a) }
      }
      return result
    }
  }

  /// A point in Jacobian coordinates; nil is infinity.
  typealias Point = (x: [UInt64], y: [UInt64], z: [UInt64])

  static let field = Field([
    0xFFFF_FFFF_FFFF_FFFF, 0x0000_0000_FFFF_FFFF, 0, 0xFFFF_FFFF_0000_0001,
  ])
  static let order = Field([
    0xF3B9_CAC2_FC63_2551, 0xBCE6_FAAD_A717_9E84, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_0000_0000,
  ])
  private static let generator: Point = (
    field.enter([
      0xF4A1_3945_D898_C296, 0x7703_7D81_2DEB_33A0, 0xF8BC_E6E5_63A4_40F2, 0x6B17_D1F2_E12C_4247,
    ]),
    field.enter([
      0xCBB6_4068_37BF_51F5, 0x2BCE_3357_6B31_5ECE, 0x8EE7_EB4A_7C0F_9E16, 0x4FE3_42E2_FE1A_7F9B,
    ]), field.enter([1, 0, 0, 0])
  )
  private static let zero: [UInt64] = [0, 0, 0, 0]

  static func limbs(_ bytes: some Sequence<UInt8>) -> [UInt64] {
    var limbs = zero
    for (index, byte) in bytes.reversed().enumerated() {
      limbs[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
    }
    return limbs
  }

  static func bytes(_ limbs: [UInt64]) -> [UInt8] {
    (0..<32).reversed().map { UInt8(truncatingIfNeeded: limbs[$0 / 8] >> UInt64($0 % 8 * 8)) }
  }

  private static func double(_ point: Point?) -> Point? {
    guard let point, point.y != zero else { return nil }
    let f = field
    let ySquare = f.multiply(point.y, point.y)
    let xy = f.multiply(point.x, ySquare)
    let s = f.add(f.add(xy, xy), f.add(xy, xy))
    let zSquare = f.multiply(point.z, point.z)
    let product = f.multiply(f.subtract(point.x, zSquare), f.add(point.x, zSquare))
    let m = f.add(f.add(product, product), product)
    let x = f.subtract(f.multiply(m, m), f.add(s, s))
    var eighth = f.multiply(ySquare, ySquare)
    for _ in 0..<3 { eighth = f.add(eighth, eighth) }
    let yz = f.multiply(point.y, point.z)
    return (x, f.subtract(f.multiply(m, f.subtract(s, x)), eighth), f.add(yz, yz))
  }

  private static func add(_ first: Point?, _ second: Point?) -> Point? {
    guard let first else { return second }
    guard let second else { return first }
    let f = field
    let z1 = f.multiply(first.z, first.z)
    let z2 = f.multiply(second.z, second.z)
    let u1 = f.multiply(first.x, z2)
    let u2 = f.multiply(second.x, z1)
    let s1 = f.multiply(first.y, f.multiply(z2, second.z))
    let s2 = f.multiply(second.y, f.multiply(z1, first.z))
    if u1 == u2 { return s1 == s2 ? double(first) : nil }
    let h = f.subtract(u2, u1)
    let r = f.subtract(s2, s1)
    let hSquare = f.multiply(h, h)
    let hCube = f.multiply(hSquare, h)
    let v = f.multiply(u1, hSquare)
    let x = f.subtract(f.subtract(f.multiply(r, r), hCube), f.add(v, v))
    let y = f.subtract(f.multiply(r, f.subtract(v, x)), f.multiply(s1, hCube))
    return (x, y, f.multiply(h, f.multiply(first.z, second.z)))
  }

  private static func multiply(_ scalar: [UInt64], _ point: Point) -> Point? {
    var result: Point?
    for bit in (0..<256).reversed() {
      result = double(result)
      if scalar[bit / 64] >> UInt64(bit % 64) & 1 == 1 { result = add(result, point) }
    }
    return result
  }

  private static func affine(_ point: Point) -> (x: [UInt64], y: [UInt64]) {
    let inverse = field.inverted(point.z)
    let square = field.multiply(inverse, inverse)
    return (
      field.leave(field.multiply(point.x, square)),
      field.leave(field.multiply(point.y, field.multiply(square, inverse)))
    )
  }

  private static func digest(_ message: [UInt8]) -> [UInt64] {
    let value = limbs(Hash.sha256(message))
    return Field.less(value, order.modulus) ? value : Field.minus(value, order.modulus)
  }

  /// A key that signs as platforms do: in DER, converted strictly.
  struct SigningKey: Signer {
    let keyID: String?
    let publicKey: SubjectPublicKey
    var algorithm: SignatureAlgorithm { .es256 }
    private let secret: [UInt64]

    init(label: String, keyID: String? = nil) throws {
      // A number below the order: its first byte is zero.
      secret = limbs([0] + Hash.sha256(Array(label.utf8)).dropFirst())
      guard let point = multiply(secret, generator) else { throw WireError.encodingRefused }
      let (x, y) = affine(point)
      publicKey = try SubjectPublicKey(p256: [0x04] + bytes(x) + bytes(y))
      self.keyID = keyID
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
      try ECDSASignature.raw(fromDER: der(signing: message))
    }

    func der(signing message: [UInt8]) throws -> [UInt8] {
      let nonce = limbs([0] + Hash.sha256(bytes(secret) + message).dropFirst())
      guard let point = multiply(nonce, generator) else { throw WireError.encodingRefused }
      let x = affine(point).x
      let r = Field.less(x, order.modulus) ? x : Field.minus(x, order.modulus)
      let product = order.multiply(order.enter(r), order.enter(secret))
      let sum = order.add(order.enter(digest(message)), product)
      let s = order.leave(order.multiply(order.inverted(order.enter(nonce)), sum))
      let content = integer(bytes(r)) + integer(bytes(s))
      return [0x30, UInt8(content.count)] + content
    }

    private func integer(_ bytes: [UInt8]) -> [UInt8] {
      var value = Array(bytes.drop { $0 == 0 })
      if let first = value.first, first & 0x80 != 0 { value.insert(0, at: 0) }
      return [0x02, UInt8(value.count)] + value
    }
  }

  struct VerifyingKey: Verifier {
    let key: SubjectPublicKey
    var algorithm: SignatureAlgorithm { .es256 }

    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
      let r = limbs(signature.prefix(32))
      let s = limbs(signature.suffix(32))
      guard signature.count == 64, r != zero, s != zero, Field.less(r, order.modulus),
        Field.less(s, order.modulus)
      else { return false }
      let inverse = order.inverted(order.enter(s))
      let u1 = order.leave(order.multiply(order.enter(digest(message)), inverse))
      let u2 = order.leave(order.multiply(order.enter(r), inverse))
      let point: Point = (
        field.enter(limbs(key.rawKey[1..<33])), field.enter(limbs(key.rawKey[33...])),
        field.enter([1, 0, 0, 0])
      )
      guard let sum = add(multiply(u1, generator), multiply(u2, point)) else { return false }
      let x = affine(sum).x
      return (Field.less(x, order.modulus) ? x : Field.minus(x, order.modulus)) == r
    }
  }
}
