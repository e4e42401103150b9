internal import CWalletCore
internal import WalletModel

// Section 12 of the header: the getters.

private func sharing(_ event: OpaquePointer?) -> SharingTexts? {
  EventObject.borrow(event)?.sharingTexts
}

private func option(_ event: OpaquePointer?, _ index: Int) -> SharingTexts.Entry? {
  sharing(event)?.options.at(index)
}

private func missing(_ event: OpaquePointer?, _ index: Int) -> SharingTexts.Entry? {
  sharing(event)?.missing.at(index)
}

private func activity(_ event: OpaquePointer?, _ index: Int) -> ActivityTexts? {
  EventObject.borrow(event)?.activityTexts.at(index)
}

private func show(_ text: StableText?) -> UnsafePointer<CChar> {
  StaticText.show(text, or: "", nil)
}

private func give(_ number: Int64?, to value: UnsafeMutablePointer<Int64>?) -> Int32 {
  value?.pointee = number ?? 0
  return number == nil ? 0 : 1
}

@_cdecl("wallet_core_event_sharing_text") @implementation
public func wallet_core_event_sharing_text(
  _ event: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  show(sharing(event)?.values.text(name))
}

@_cdecl("wallet_core_event_sharing_number") @implementation
public func wallet_core_event_sharing_number(
  _ event: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ value: UnsafeMutablePointer<Int64>?
) -> Int32 {
  give(sharing(event)?.values.number(name), to: value)
}

@_cdecl("wallet_core_event_sharing_registration_count") @implementation
public func wallet_core_event_sharing_registration_count(_ event: OpaquePointer?) -> Int {
  sharing(event)?.registrations.count ?? 0
}

@_cdecl("wallet_core_event_sharing_registration_text") @implementation
public func wallet_core_event_sharing_registration_text(
  _ event: OpaquePointer?, _ index: Int, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  show(sharing(event)?.registrations.at(index)?.values.text(name))
}

@_cdecl("wallet_core_event_sharing_purpose") @implementation
public func wallet_core_event_sharing_purpose(
  _ event: OpaquePointer?, _ index: Int, _ language: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  show(sharing(event)?.registrations.at(index)?.purpose(language))
}

@_cdecl("wallet_core_event_sharing_warning_count") @implementation
public func wallet_core_event_sharing_warning_count(_ event: OpaquePointer?) -> Int {
  sharing(event)?.warnings.count ?? 0
}

@_cdecl("wallet_core_event_sharing_warning") @implementation
public func wallet_core_event_sharing_warning(
  _ event: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar> {
  show(sharing(event)?.warnings.at(index))
}

@_cdecl("wallet_core_event_sharing_option_count") @implementation
public func wallet_core_event_sharing_option_count(_ event: OpaquePointer?) -> Int {
  sharing(event)?.options.count ?? 0
}

@_cdecl("wallet_core_event_sharing_option_text") @implementation
public func wallet_core_event_sharing_option_text(
  _ event: OpaquePointer?, _ index: Int, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  show(option(event, index)?.values.text(name))
}

@_cdecl("wallet_core_event_sharing_option_number") @implementation
public func wallet_core_event_sharing_option_number(
  _ event: OpaquePointer?, _ index: Int, _ name: UnsafePointer<CChar>?,
  _ value: UnsafeMutablePointer<Int64>?
) -> Int32 {
  give(option(event, index)?.values.number(name), to: value)
}

@_cdecl("wallet_core_event_sharing_option_path_count") @implementation
public func wallet_core_event_sharing_option_path_count(
  _ event: OpaquePointer?, _ index: Int
) -> Int {
  option(event, index)?.paths.count ?? 0
}

@_cdecl("wallet_core_event_sharing_option_path") @implementation
public func wallet_core_event_sharing_option_path(
  _ event: OpaquePointer?, _ index: Int, _ path: Int
) -> UnsafePointer<CChar> {
  show(option(event, index)?.paths.at(path))
}

@_cdecl("wallet_core_event_sharing_missing_count") @implementation
public func wallet_core_event_sharing_missing_count(_ event: OpaquePointer?) -> Int {
  sharing(event)?.missing.count ?? 0
}

@_cdecl("wallet_core_event_sharing_missing_type") @implementation
public func wallet_core_event_sharing_missing_type(
  _ event: OpaquePointer?, _ index: Int, _ type: Int
) -> UnsafePointer<CChar> {
  show(missing(event, index)?.types.at(type))
}

@_cdecl("wallet_core_event_sharing_missing_path") @implementation
public func wallet_core_event_sharing_missing_path(
  _ event: OpaquePointer?, _ index: Int, _ path: Int
) -> UnsafePointer<CChar> {
  show(missing(event, index)?.paths.at(path))
}

@_cdecl("wallet_core_event_activity_count") @implementation
public func wallet_core_event_activity_count(_ event: OpaquePointer?) -> Int {
  EventObject.borrow(event)?.activityTexts.count ?? 0
}

@_cdecl("wallet_core_event_activity_text") @implementation
public func wallet_core_event_activity_text(
  _ event: OpaquePointer?, _ index: Int, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  show(activity(event, index)?.values.text(name))
}

@_cdecl("wallet_core_event_activity_registration_count") @implementation
public func wallet_core_event_activity_registration_count(
  _ event: OpaquePointer?, _ index: Int
) -> Int {
  activity(event, index)?.registrations.count ?? 0
}

@_cdecl("wallet_core_event_activity_registration_text") @implementation
public func wallet_core_event_activity_registration_text(
  _ event: OpaquePointer?, _ index: Int, _ registration: Int, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  show(activity(event, index)?.registrations.at(registration)?.values.text(name))
}

@_cdecl("wallet_core_event_activity_purpose") @implementation
public func wallet_core_event_activity_purpose(
  _ event: OpaquePointer?, _ index: Int, _ registration: Int, _ language: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  show(activity(event, index)?.registrations.at(registration)?.purpose(language))
}

@_cdecl("wallet_core_event_activity_item_count") @implementation
public func wallet_core_event_activity_item_count(_ event: OpaquePointer?, _ index: Int) -> Int {
  activity(event, index)?.items.count ?? 0
}

@_cdecl("wallet_core_event_activity_item_text") @implementation
public func wallet_core_event_activity_item_text(
  _ event: OpaquePointer?, _ index: Int, _ item: Int, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  show(activity(event, index)?.items.at(item)?.values.text(name))
}

@_cdecl("wallet_core_event_activity_item_path") @implementation
public func wallet_core_event_activity_item_path(
  _ event: OpaquePointer?, _ index: Int, _ item: Int, _ path: Int
) -> UnsafePointer<CChar> {
  show(activity(event, index)?.items.at(item)?.paths.at(path))
}
