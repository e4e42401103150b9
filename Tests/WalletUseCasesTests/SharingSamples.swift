import WalletModel

extension SharingRequest {
  /// A request of a shop for the name.
  static func sample(isFromOtherDevice: Bool = false, hasChoice: Bool = false) -> SharingRequest {
    let option = Option(
      query: "q", group: 16, card: "pid", isChosen: true, mayBeLeftOut: false,
      paths: [Path(components: [.name("given_name")], text: #"["given_name"]"#)])
    var other = option
    (other.card, other.isChosen) = ("other", false)
    return SharingRequest(
      id: "r1",
      party: Party(
        name: "Example Shop", identifier: "NTRXX-1", authority: "Authority", host: "shop.example"),
      registrations: [], warnings: [.notRegistered], isLogin: false,
      isFromOtherDevice: isFromOtherDevice, sharedBefore: 0, lastSharedAt: nil,
      options: hasChoice ? [option, other] : [option], missing: [], expiresAt: nil)
  }
}
