// SPDX-License-Identifier: Apache-2.0
#include "scan.h"

#define ZX_USE_UTF8 1
#include <ReadBarcode.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <wallet_core.h>

#include "scan_finder.h"
#include "scan_image.h"

namespace {

using ZXing::BarcodeFormat;
using ZXing::BarcodeFormats;

constexpr int most_degrees = 10;
constexpr size_t most_pixels_to_turn = 4'000'000; /* more take long and show no more of a card */

/* The linear symbologies on cards and parcels that have a checksum. Lines of a PDF417 symbol look like
   those without one. */
const BarcodeFormats linear = BarcodeFormat::Code128 | BarcodeFormat::Code93 |
                              BarcodeFormat::EAN13 | BarcodeFormat::EAN8 | BarcodeFormat::UPCA;
const BarcodeFormats matrix = BarcodeFormat::QRCode | BarcodeFormat::PDF417 |
                              BarcodeFormat::DataMatrix | BarcodeFormat::Aztec;

/* The symbologies that the library asks for. */
const BarcodeFormats cards_and_codes = BarcodeFormat::QRCode | BarcodeFormat::PDF417;

BarcodeFormat format_of(int32_t symbology) {
  return symbology == WALLET_CORE_SYMBOLOGY_PDF417 ? BarcodeFormat::PDF417 : BarcodeFormat::QRCode;
}

int32_t symbology_of(BarcodeFormat format) {
  switch (format) {
    case BarcodeFormat::QRCode:
      return WALLET_CORE_SYMBOLOGY_QR_CODE;
    case BarcodeFormat::PDF417:
      return WALLET_CORE_SYMBOLOGY_PDF417;
    default:
      return WALLET_CORE_SYMBOLOGY_OTHER;
  }
}

const char *name_of(BarcodeFormat format) {
  switch (format) {
    case BarcodeFormat::QRCode:
      return "QR code";
    case BarcodeFormat::PDF417:
      return "PDF417";
    default:
      return "another symbology";
  }
}

/* Collects what is found in an image and in turned copies of it. */
class Camera {
 public:
  Camera(int32_t wanted, struct scan *scan) : wanted_(format_of(wanted)), scan_(scan) {}

  /* Looks for these formats. A decoded symbol goes into the scan; the wanted one replaces another. */
  void look(const GreyImage &image, BarcodeFormats formats, int degrees) {
    /* libzxing 1.4 ends the process when it meets a linear symbol again in a smaller image. */
    const bool is_matrix = !formats.testFlags(linear);
    const auto hints =
        ZXing::DecodeHints().setFormats(formats).setReturnErrors(is_matrix).setTryDownscale(
            is_matrix);
    const ZXing::ImageView view(
        image.pixels(), image.width(), image.height(), ZXing::ImageFormat::Lum);
    for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
      note(result, degrees);
    }
  }

  bool has_wanted() const { return has_wanted_; }

  enum scan_outcome outcome(const GreyImage &image) {
    if (has_wanted_) {
      return SCAN_DECODED;
    }
    const bool is_pdf417_there = shows_pdf417(image), is_qr_code_there = shows_qr_code(image);
    const bool is_wanted_there =
        is_wanted_seen_ || (wanted_ == BarcodeFormat::PDF417 ? is_pdf417_there : is_qr_code_there);
    if (has_other_ && !is_wanted_there) {
      return SCAN_DECODED;
    }
    scan_wipe(scan_); /* it may have another symbol, read beside a wanted one that cannot be read */
    return is_seen_ || is_pdf417_there || is_qr_code_there ? SCAN_UNREADABLE : SCAN_NOTHING;
  }

 private:
  void note(const ZXing::Result &result, int degrees) {
    const bool is_wanted = result.format() == wanted_;
    /* The decoder's working memory cannot be wiped, but its result can. */
    auto &bytes = const_cast<ZXing::ByteArray &>(result.bytes());
    if (result.error() || bytes.empty() || bytes.size() > SCAN_BYTES) {
      is_seen_ = is_seen_ || symbology_of(result.format()) != WALLET_CORE_SYMBOLOGY_OTHER;
      is_wanted_seen_ = is_wanted_seen_ || is_wanted;
    } else if (is_wanted ? !has_wanted_ : !has_wanted_ && !has_other_) {
      keep(result.format(), bytes, degrees);
      (is_wanted ? has_wanted_ : has_other_) = true;
    }
    if (!bytes.empty()) {
      explicit_bzero(bytes.data(), bytes.size());
    }
  }

  void keep(BarcodeFormat format, const ZXing::ByteArray &bytes, int degrees) {
    scan_wipe(scan_);
    scan_->symbology = symbology_of(format);
    scan_->format = name_of(format);
    scan_->degrees = degrees;
    std::copy(bytes.begin(), bytes.end(), scan_->bytes);
    scan_->length = bytes.size();
  }

  BarcodeFormat wanted_;
  struct scan *scan_;
  bool has_wanted_ = false, has_other_ = false;
  bool is_seen_ = false, is_wanted_seen_ = false;
};

}  // namespace

enum scan_outcome scan_image(const char *path, int32_t wanted, struct scan *scan) {
  scan_wipe(scan);
  try {
    GreyImage image = GreyImage::read_png(path);
    Camera camera(wanted, scan);
    camera.look(image, matrix, 0);
    if (camera.has_wanted()) {
      return SCAN_DECODED;
    }
    camera.look(image, linear, 0);
    while (image.size() > most_pixels_to_turn) {
      image = image.halved();
    }
    /* The decoder searches rows of PDF417 along the lines of the image and misses a tilted symbol. */
    for (int step = 2; step <= 2 * most_degrees + 1 && !camera.has_wanted(); step++) {
      const int degrees = step % 2 == 0 ? step / 2 : -(step / 2);
      camera.look(image.turned(degrees), cards_and_codes, degrees);
    }
    return camera.outcome(image);
  } catch (const std::exception &problem) {
    scan_wipe(scan);
    std::snprintf(scan->reason, sizeof scan->reason, "%s", problem.what());
    return SCAN_FAILED;
  }
}

void scan_wipe(struct scan *scan) {
  explicit_bzero(scan, sizeof *scan);
}
