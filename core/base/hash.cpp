#include "core/base/hash.h"

#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <fstream>
#include <openssl/evp.h>
#include <vector>

namespace voxelscribe {

struct Hash::Impl {
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

Hash::Hash(Kind kind) : m_impl(std::make_unique<Impl>())
{
    const EVP_MD* digest = kind == Kind::sha1 ? EVP_sha1() : EVP_sha256();
    if (!m_impl->context || EVP_DigestInit_ex(m_impl->context.get(), digest, nullptr) != 1)
        throw Error(ErrorCode::memory, "cannot start a digest: OpenSSL refused");
}

Hash::~Hash() = default;
Hash::Hash(Hash&&) noexcept = default;
Hash& Hash::operator=(Hash&&) noexcept = default;

void Hash::add(std::span<const std::byte> bytes)
{
    EVP_DigestUpdate(m_impl->context.get(), bytes.data(), bytes.size());
}

std::string Hash::hex()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    EVP_DigestFinal_ex(m_impl->context.get(), digest.data(), &length);
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < length; ++i) {
        text += kDigits[digest[i] >> 4];
        text += kDigits[digest[i] & 15];
    }
    return text;
}

std::string sha256OfFile(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throwSystemError("cannot read", path.string(), errno);
    Hash hash(Hash::Kind::sha256);
    std::vector<char> buffer(1 << 20);
    while (in) {
        in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        hash.add(std::as_bytes(std::span(buffer.data(), static_cast<std::size_t>(in.gcount()))));
    }
    if (in.bad())
        throwSystemError("cannot read", path.string(), errno);
    return hash.hex();
}

} // namespace voxelscribe
