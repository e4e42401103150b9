/// The link or code by which a relying party calls a wallet (OpenID4VP 1.0 section 5). Nothing in it
/// is authenticated: it only says where the request is.
public struct PresentationLink: Equatable, Sendable {
  /// The longest link, in bytes.
  public static let maximumLength = 8 * 1024

  /// Who claims to ask, with its prefix; the request object must say the same, byte for byte.
  public let clientID: String
  /// Where the request object is.
  public let requestURI: String
  /// The host of `requestURI`, in lower case.
  public let host: String
  /// Whether the request object is fetched by POST, with what the wallet supports.
  public let usesPOST: Bool

  /// Reads a link of any scheme; which schemes are ours is decided where links arrive. Parameters
  /// that are not known are ignored: they count only inside the request object.
  public init(parsing text: String) throws(RequestRefusal) {
    guard text.utf8.count <= Self.maximumLength else { throw RequestRefusal(.linkMalformed) }
    let parameters = try Self.parameters(of: text)
    // By value a request would not be bound to a host; the HAIP profile has it by reference only.
    guard parameters["request"] == nil, let clientID = parameters["client_id"], !clientID.isEmpty,
      let requestURI = parameters["request_uri"], let host = URLHost(of: requestURI)
    else { throw RequestRefusal(.linkMalformed) }
    self.clientID = clientID
    self.requestURI = requestURI
    self.host = host.name
    switch parameters["request_uri_method"] {
    case nil, "get": usesPOST = false
    case "post": usesPOST = true
    default: throw RequestRefusal(.methodUnknown)
    }
  }

  /// The parameters of the query. One that appears twice is refused: two readers could take
  /// different ones.
  private static func parameters(of text: String) throws(RequestRefusal) -> [String: String] {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else {
      throw RequestRefusal(.linkMalformed)
    }
    let query = text[text.utf8.index(after: mark)...].prefix { $0 != "#" }
    var parameters: [String: String] = [:]
    for part in query.split(separator: "&") {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(halves[0]), let value = halves.count == 2 ? decoded(halves[1]) : "",
        parameters.updateValue(value, forKey: name) == nil
      else { throw RequestRefusal(.linkMalformed) }
    }
    return parameters
  }

  /// Decodes the form of web forms, in which `+` is a space; nil if it is malformed.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

/// The host of an https URL, in lower case, as far as it is compared with names in certificates.
/// Whether it may be reached is decided where requests are sent.
struct URLHost: Equatable {
  let name: String

  /// Nil for anything but https with a host, without a user.
  init?(of url: String) {
    guard url.hasPrefix("https://"), url.utf8.count <= 8 * 1024,
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !url.contains("#")
    else { return nil }
    let authority = url.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
    let host = authority.first == "[" ? authority : authority.prefix { $0 != ":" }
    guard !host.isEmpty, !authority.contains("@"), !authority.contains("\\") else { return nil }
    name = host.lowercased()
  }
}
