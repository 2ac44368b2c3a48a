// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace maskscope {

class Database;

/// One prepared statement. Parameters count from 1, columns from 0, as in SQLite. Throws as
/// Database does.
class Statement {
public:
    Statement& bind(int parameter, std::string_view text);
    Statement& bind(int parameter, std::int64_t value);
    Statement& bind(int parameter, std::optional<std::int64_t> value);
    Statement& bind(int parameter, std::optional<double> value);
    Statement& bind(int parameter, std::span<const std::byte> blob);

    /// Goes to the next row; false when there is none, and the statement can be bound again.
    bool step();

    std::int64_t integer(int column) const;
    std::optional<std::int64_t> integerOrNull(int column) const;
    std::optional<double> realOrNull(int column) const;
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const; ///< until the next step

private:
    friend class Database;
    struct Finaliser {
        void operator()(sqlite3_stmt* statement) const;
    };

    Statement(Database& database, std::string_view sql);
    void check(int code) const;
    bool isNull(int column) const;

    Database& m_database;
    std::unique_ptr<sqlite3_stmt, Finaliser> m_statement;
};

/// An SQLite file that several processes may have open. Changes that were not committed when a
/// process ends, however it ends, are undone by the next that opens the file. One thread at a time.
/// Throws Failure(Input) with a sentence that names the file: it is damaged, no database, in use
/// for longer than kPatienceMs, not writable, on a full disk.
class Database {
public:
    /// Opens the file or makes it, with its folders.
    explicit Database(std::filesystem::path file);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Runs statements that give no rows.
    void run(const std::string& sql);
    /// The first column of the first row.
    std::int64_t number(std::string_view sql);
    Statement prepare(std::string_view sql) { return {*this, sql}; }
    std::int64_t lastId() const;
    std::int64_t changes() const; ///< rows that the last statement changed

    const std::filesystem::path& file() const { return m_file; }

    static constexpr int kPatienceMs = 10'000;

private:
    friend class Statement;
    [[noreturn]] void fail(int code) const;

    std::filesystem::path m_file;
    sqlite3* m_handle = nullptr;
};

/// All or nothing: undone when destroyed before commit(). Waits for other writers at its beginning.
class Transaction {
public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit();

private:
    Database& m_database;
    bool m_open = true;
};

} // namespace maskscope
