// SPDX-License-Identifier: Apache-2.0
#include "scan_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace {

/* The lengths of black and white runs of a symbol, in modules; the first run is black. */
template <size_t count>
using Pattern = std::array<int, count>;

constexpr Pattern<8> pdf417_start = {8, 1, 1, 1, 1, 1, 1, 3};
constexpr Pattern<9> pdf417_stop = {7, 1, 1, 3, 1, 1, 1, 2, 1};
constexpr Pattern<5> qr_corner = {1, 1, 3, 1, 1};

constexpr double tolerance = 0.5;       /* of a module, for each run */
constexpr double smallest_module = 1.5; /* in pixels: noise matches anything smaller */
constexpr int lines_of_pdf417 = 8;      /* the lowest symbol has more */
constexpr double pdf417_height = 4;     /* in modules; a similar row of a QR code has 1 */
constexpr size_t corners_of_qr_code = 3;

/* The lines of an image in black and white: its rows, or its columns if it is sideways. */
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

  bool is_black(int line, int position) const {
    const int x = is_sideways_ ? line : position, y = is_sideways_ ? position : line;
    return image_.pixels()
               [static_cast<size_t>(y) * static_cast<size_t>(image_.width()) +
                static_cast<size_t>(x)] < threshold_;
  }

  /* The positions where runs begin, the first black one first, and the end of the line. */
  std::vector<int> edges(int line) const {
    std::vector<int> result;
    bool last = false;
    for (int position = 0; position < length(); position++) {
      if (is_black(line, position) != last) {
        last = !last;
        result.push_back(position);
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

/* The size of a module if the runs after edge `first` match the pattern; 0 if they do not. */
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

/* Whether the pattern appears in enough consecutive lines, at about the same position. */
template <size_t count>
bool appears_in_lines(const Lines &lines, const Pattern<count> &pattern) {
  int found = 0, first_line = 0, last_line = 0, last_position = 0;
  for (int line = 0; line < lines.count(); line++) {
    const auto edges = lines.edges(line);
    for (size_t first = 0; first < edges.size(); first += 2) {
      const double module = module_at(edges, first, pattern);
      if (module == 0) {
        continue;
      }
      const bool follows = found > 0 && line - last_line <= 2 * module &&
                           std::abs(edges[first] - last_position) <= 2 * module;
      found = follows ? found + 1 : 1;
      first_line = follows ? first_line : line;
      if (found >= lines_of_pdf417 && line - first_line >= pdf417_height * module) {
        return true;
      }
      last_line = line;
      last_position = edges[first];
    }
  }
  return false;
}

/* Whether the pattern of a corner also appears across the line, at this position and of this size. */
bool is_crossed(const Lines &across, int line, int position, double module) {
  const auto edges = across.edges(position);
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
  int lines; /* number of lines that cross its centre */
};

/* Counts each corner once. A centre is three modules high; matches by chance seldom are. */
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
    if (appears_in_lines(lines, pdf417_start) || appears_in_lines(lines, pdf417_stop) ||
        appears_in_lines(lines, stop_upside_down)) {
      return true;
    }
  }
  return false;
}

bool shows_qr_code(const GreyImage &image) {
  return count_qr_corners(image) >= corners_of_qr_code;
}
