// SPDX-License-Identifier: Apache-2.0
#include "scan_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace {

/* Black and white runs of a symbol, in modules; the first is black. */
template <size_t count>
using Pattern = std::array<int, count>;

constexpr Pattern<8> pdf417_start = {8, 1, 1, 1, 1, 1, 1, 3};
constexpr Pattern<9> pdf417_stop = {7, 1, 1, 3, 1, 1, 1, 2, 1};
constexpr Pattern<5> qr_corner = {1, 1, 3, 1, 1};

constexpr double tolerance = 0.5;       /* of a module, for each run */
constexpr double smallest_module = 1.5; /* in pixels: below it noise looks like anything */
constexpr int lines_of_pdf417 = 8;      /* the lowest symbol has more */
constexpr double pdf417_height = 4;     /* in modules; rows of a QR code look alike, but have 1 */
constexpr size_t corners_of_qr_code = 3;

/* An image in black and white, also seen from its side. */
class Lines {
 public:
  Lines(const GreyImage &image, bool is_sideways) : image_(image), is_sideways_(is_sideways) {
    if (image.size() > 0) {
      const auto [darkest, lightest] =
          std::minmax_element(image.pixels(), image.pixels() + image.size());
      threshold_ = (*darkest + *lightest) / 2;
    }
  }

  int count() const { return is_sideways_ ? image_.width() : image_.height(); }
  int length() const { return is_sideways_ ? image_.height() : image_.width(); }

  bool is_black(int line, int place) const {
    const int x = is_sideways_ ? line : place, y = is_sideways_ ? place : line;
    return image_.pixels()
               [static_cast<size_t>(y) * static_cast<size_t>(image_.width()) +
                static_cast<size_t>(x)] < threshold_;
  }

  /* Where runs begin, the first black one first, and the end. */
  std::vector<int> edges(int line) const {
    std::vector<int> result;
    bool last = false;
    for (int place = 0; place < length(); place++) {
      if (is_black(line, place) != last) {
        last = !last;
        result.push_back(place);
      }
    }
    result.push_back(length());
    return result;
  }

 private:
  const GreyImage &image_;
  bool is_sideways_;
  int threshold_ = 0;
};

/* The size of a module where the runs behind edge `first` are the pattern; 0 where they are not. */
template <size_t count>
double module_at(const std::vector<int> &edges, size_t first, const Pattern<count> &pattern) {
  if (first + count >= edges.size()) {
    return 0;
  }
  const int modules = std::accumulate(pattern.begin(), pattern.end(), 0);
  const double module = static_cast<double>(edges[first + count] - edges[first]) / modules;
  if (module < smallest_module) {
    return 0;
  }
  for (size_t i = 0; i < count; i++) {
    const int run = edges[first + i + 1] - edges[first + i];
    if (std::fabs(run - pattern[i] * module) > tolerance * module) {
      return 0;
    }
  }
  return module;
}

/* The pattern stands in enough lines that follow each other, at about the same place. */
template <size_t count>
bool stands_in_lines(const Lines &lines, const Pattern<count> &pattern) {
  int found = 0, first_line = 0, last_line = 0, last_place = 0;
  for (int line = 0; line < lines.count(); line++) {
    const auto edges = lines.edges(line);
    for (size_t first = 0; first < edges.size(); first += 2) {
      const double module = module_at(edges, first, pattern);
      if (module == 0) {
        continue;
      }
      const bool follows = found > 0 && line - last_line <= 2 * module &&
                           std::abs(edges[first] - last_place) <= 2 * module;
      found = follows ? found + 1 : 1;
      first_line = follows ? first_line : line;
      if (found >= lines_of_pdf417 && line - first_line >= pdf417_height * module) {
        return true;
      }
      last_line = line;
      last_place = edges[first];
    }
  }
  return false;
}

/* Whether the pattern of a corner also stands across the line, around this place and as large. */
bool is_crossed(const Lines &across, int line, int place, double module) {
  const auto edges = across.edges(place);
  for (size_t first = 0; first < edges.size(); first += 2) {
    const double other = module_at(edges, first, qr_corner);
    if (other > 0 && std::fabs(other - module) < tolerance * module && edges[first + 2] <= line &&
        line < edges[first + 3]) {
      return true;
    }
  }
  return false;
}

struct Corner {
  double x, y, module;
  int lines; /* that cross its centre */
};

/* Each corner once. The centre is three modules high, and chance seldom so steady. */
size_t count_qr_corners(const GreyImage &image) {
  const Lines lines(image, false), across(image, true);
  std::vector<Corner> corners;
  for (int line = 0; line < lines.count(); line++) {
    const auto edges = lines.edges(line);
    for (size_t first = 0; first < edges.size(); first += 2) {
      const double module = module_at(edges, first, qr_corner);
      if (module == 0) {
        continue;
      }
      const int centre = (edges[first + 2] + edges[first + 3]) / 2;
      if (!is_crossed(across, line, centre, module)) {
        continue;
      }
      const auto known = std::find_if(corners.begin(), corners.end(), [&](const Corner &corner) {
        return std::fabs(corner.x - centre) < 2 * module && std::fabs(corner.y - line) < 4 * module;
      });
      if (known != corners.end()) {
        known->lines += 1;
      } else {
        corners.push_back({static_cast<double>(centre), static_cast<double>(line), module, 1});
      }
    }
  }
  return static_cast<size_t>(std::count_if(
      corners.begin(), corners.end(),
      [](const Corner &corner) { return corner.lines >= 3 && corner.lines >= corner.module; }));
}

}  // namespace

bool shows_pdf417(const GreyImage &image) {
  for (const bool is_sideways : {false, true}) {
    const Lines lines(image, is_sideways);
    auto stop_upside_down = pdf417_stop;
    std::reverse(stop_upside_down.begin(), stop_upside_down.end());
    if (stands_in_lines(lines, pdf417_start) || stands_in_lines(lines, pdf417_stop) ||
        stands_in_lines(lines, stop_upside_down)) {
      return true;
    }
  }
  return false;
}

bool shows_qr_code(const GreyImage &image) {
  return count_qr_corners(image) >= corners_of_qr_code;
}
