import XCTest

@testable import WalletProtocol

final class CalendarDateTests: XCTestCase {
  func testDaysOfMomentsAreThoseOfTheCalendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    var moments: [Int64] = [86_400, 951_782_400, 951_868_799, 951_868_800, 4_107_542_400]
    moments += stride(from: 86_400, to: 16_000_000_000, by: 3_203_117)
    for moment in moments {
      for offset in [-11, 0, 10] {
        let shifted = Date(timeIntervalSince1970: Double(moment + Int64(offset) * 3600))
        let parts = calendar.dateComponents([.year, .month, .day], from: shifted)
        let ours = CalendarDate(secondsSince1970: moment, utcOffsetHours: offset)
        XCTAssertEqual(ours.year, parts.year)
        XCTAssertEqual(ours.month, parts.month)
        XCTAssertEqual(ours.day, parts.day)
      }
    }
  }

  func testOnlyDaysOfTheCalendarAreDays() {
    for (year, month, day) in [
      (2023, 2, 29), (1900, 2, 29), (2023, 4, 31), (2023, 0, 1), (2023, 13, 1), (2023, 1, 0),
      (2023, 1, 32), (0, 1, 1), (10_000, 1, 1), (Int.min, 1, 1), (2023, Int.max, 1),
      (2023, 1, Int.min),
    ] {
      XCTAssertNil(CalendarDate(year: year, month: month, day: day))
    }
    for (year, month, day) in [(2024, 2, 29), (2000, 2, 29), (1, 1, 1), (9999, 12, 31)] {
      XCTAssertNotNil(CalendarDate(year: year, month: month, day: day))
    }
  }

  func testOnTheWireADateHasOneForm() throws {
    let date = try XCTUnwrap(CalendarDate(year: 987, month: 6, day: 5))
    XCTAssertEqual(
      String(decoding: try JSONEncoder().encode([date]), as: UTF8.self), "[\"0987-06-05\"]")
    func read(_ text: String) -> CalendarDate? {
      try? JSONDecoder().decode([CalendarDate].self, from: Data("[\"\(text)\"]".utf8)).first
    }
    XCTAssertEqual(read("0987-06-05"), date)
    for text in [
      "987-06-05", "0987-6-5", "0987/06/05", "0987-06-31", "+987-06-05", "", "0987-06-051",
    ] {
      XCTAssertNil(read(text))
    }
  }
}
