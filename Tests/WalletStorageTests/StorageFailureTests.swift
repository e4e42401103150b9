import CSQLite
import Glibc
import WalletModel
import WalletSystem
import XCTest

@testable import WalletStorage

/// Each error of the system becomes the status that the header promises.
final class StorageFailureTests: XCTestCase {
  private func kind(_ code: Int32) -> WalletError.Kind {
    StorageFailure.system(SystemError(code: code), "write a file").kind
  }

  private func kind(ofSQLite code: Int32, _ systemCode: Int32) -> WalletError.Kind {
    StorageFailure.sqlite(code, systemCode: systemCode, "open the database").kind
  }

  func testASystemWithoutDescriptorsOrMemoryIsOutOfResources() {
    for code in [EMFILE, ENFILE, ENOMEM] {
      XCTAssertEqual(kind(code), .outOfResources, "\(code)")
      XCTAssertEqual(kind(ofSQLite: SQLITE_CANTOPEN, code), .outOfResources, "\(code)")
      XCTAssertEqual(kind(ofSQLite: SQLITE_IOERR, code), .outOfResources, "\(code)")
    }
  }

  func testAFullStorageAndAnUnusableOneAreToldApart() {
    for code in [ENOSPC, EDQUOT, EFBIG] {
      XCTAssertEqual(kind(code), .storageFull, "\(code)")
      XCTAssertEqual(kind(ofSQLite: SQLITE_IOERR, code), .storageFull, "\(code)")
    }
    for code in [EROFS, EACCES, EPERM, EIO, ENODEV] {
      XCTAssertEqual(kind(code), .storageUnavailable, "\(code)")
      XCTAssertEqual(kind(ofSQLite: SQLITE_IOERR, code), .storageUnavailable, "\(code)")
    }
  }
}
