// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/database.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <sqlite3.h>
#include <system_error>
#include <utility>

namespace maskscope {

namespace {

std::string reasonOf(int code, const char* message) {
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return " is damaged or no history (" + std::string(message)
            + "). It was left as it is: move it away to begin a new one.";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return " is being written by another program: try again when that has finished.";
    case SQLITE_FULL:
        return " cannot be written: the disk is full.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return " cannot be written: it or its folder is read-only.";
    case SQLITE_CANTOPEN:
        return " cannot be opened: check that its folder exists and may be written.";
    case SQLITE_NOMEM:
        return " cannot be read: there is not enough memory.";
    default:
        return " cannot be read or written (" + std::string(message)
            + "): check the disk that it is on.";
    }
}

} // namespace

void Statement::Finaliser::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(Database& database, std::string_view sql)
    : m_database(database) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(
        database.m_handle, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    m_statement.reset(statement);
    check(code);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK)
        m_database.fail(code);
}

Statement& Statement::bind(int parameter, std::string_view text) {
    check(sqlite3_bind_text64(m_statement.get(), parameter, text.data(), text.size(),
        SQLITE_TRANSIENT, SQLITE_UTF8)); // NOLINT(*-casting,*-int-to-ptr): SQLite's own macro
    return *this;
}

Statement& Statement::bind(int parameter, std::int64_t value) {
    check(sqlite3_bind_int64(m_statement.get(), parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, std::optional<std::int64_t> value) {
    if (value)
        return bind(parameter, *value);
    check(sqlite3_bind_null(m_statement.get(), parameter));
    return *this;
}

Statement& Statement::bind(int parameter, std::optional<double> value) {
    check(value ? sqlite3_bind_double(m_statement.get(), parameter, *value)
                : sqlite3_bind_null(m_statement.get(), parameter));
    return *this;
}

Statement& Statement::bind(int parameter, std::span<const std::byte> blob) {
    check(sqlite3_bind_blob64(
        m_statement.get(), parameter, blob.data(), blob.size(), SQLITE_TRANSIENT));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        m_database.fail(code);
    check(sqlite3_reset(m_statement.get()));
    return false;
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement.get(), column);
}

std::optional<std::int64_t> Statement::integerOrNull(int column) const {
    return isNull(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<double> Statement::realOrNull(int column) const {
    return isNull(column) ? std::nullopt
                          : std::optional(sqlite3_column_double(m_statement.get(), column));
}

std::string Statement::text(int column) const {
    const std::span<const std::byte> bytes = blob(column);
    std::string text(bytes.size(), '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i)
        text[i] = static_cast<char>(bytes[i]);
    return text;
}

std::span<const std::byte> Statement::blob(int column) const {
    const void* bytes = sqlite3_column_blob(m_statement.get(), column);
    const int size = sqlite3_column_bytes(m_statement.get(), column);
    return {static_cast<const std::byte*>(bytes), static_cast<std::size_t>(bytes ? size : 0)};
}

Database::Database(std::filesystem::path file)
    : m_file(std::move(file)) {
    std::error_code ignored; // opening says more
    std::filesystem::create_directories(m_file.parent_path(), ignored);
    const int code = sqlite3_open_v2(m_file.c_str(), &m_handle,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    try {
        if (code != SQLITE_OK)
            fail(code);
        sqlite3_busy_timeout(m_handle, kPatienceMs);
        // What a person deletes is overwritten, not only forgotten.
        run("PRAGMA secure_delete = ON");
    } catch (...) {
        sqlite3_close(m_handle);
        throw;
    }
}

Database::~Database() {
    sqlite3_close(m_handle);
}

void Database::run(const std::string& sql) {
    if (const int code = sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr);
        code != SQLITE_OK)
        fail(code);
}

std::int64_t Database::number(std::string_view sql) {
    Statement statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::lastId() const {
    return sqlite3_last_insert_rowid(m_handle);
}

std::int64_t Database::changes() const {
    return sqlite3_changes64(m_handle);
}

void Database::fail(int code) const {
    throw Failure(ErrorKind::Input,
        "The history " + printable(m_file.string())
            + reasonOf(code, m_handle ? sqlite3_errmsg(m_handle) : sqlite3_errstr(code)));
}

Transaction::Transaction(Database& database)
    : m_database(database) {
    m_database.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (!m_open)
        return;
    try {
        m_database.run("ROLLBACK");
    } catch (const Failure&) { // it was undone already, by the failure that led here
    }
}

void Transaction::commit() {
    m_database.run("COMMIT");
    m_open = false;
}

} // namespace maskscope
