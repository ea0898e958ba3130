#include "core/base/text.h"

#include <algorithm>
#include <cctype>

namespace voxelscribe {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::string_view leadingNumber(std::string_view text)
{
    std::size_t length = 0;
    while (length < text.size() && isDigit(text[length]))
        ++length;
    return text.substr(0, length);
}

std::string_view withoutZeros(std::string_view digits)
{
    while (digits.size() > 1 && digits.front() == '0')
        digits.remove_prefix(1);
    return digits;
}

} // namespace

bool naturalLess(std::string_view a, std::string_view b)
{
    const std::string_view wholeA = a;
    const std::string_view wholeB = b;
    while (!a.empty() && !b.empty()) {
        const std::string_view numberA = leadingNumber(a);
        const std::string_view numberB = leadingNumber(b);
        if (!numberA.empty() && !numberB.empty()) {
            const std::string_view valueA = withoutZeros(numberA);
            const std::string_view valueB = withoutZeros(numberB);
            if (valueA.size() != valueB.size())
                return valueA.size() < valueB.size();
            if (valueA != valueB)
                return valueA < valueB;
            a.remove_prefix(numberA.size());
            b.remove_prefix(numberB.size());
            continue;
        }
        if (a.front() != b.front())
            return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    if (a.empty() != b.empty())
        return a.empty();
    return wholeA < wholeB;
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at = 0; (at = text.find(separator, from)) != std::string_view::npos; from = at + 1)
        parts.emplace_back(text.substr(from, at - from));
    parts.emplace_back(text.substr(from));
    return parts;
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

std::string counted(long long count, std::string_view singular, std::string_view plural)
{
    return std::to_string(count) + " " + std::string(count == 1 ? singular : plural);
}

} // namespace voxelscribe
