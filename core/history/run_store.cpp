// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_store.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/history/packed_text.h"

#include <array>

namespace maskscope {

namespace {

/// What makes a file of schema i one of schema i + 1. A step that was shipped is never changed.
constexpr std::array kSteps{
    // AUTOINCREMENT: what a person noted as run 7 never becomes another one. The lines are beside
    // the summaries so that a list of many runs reads few pages.
    R"(CREATE TABLE run (
           id INTEGER PRIMARY KEY AUTOINCREMENT,
           started TEXT NOT NULL,
           title TEXT NOT NULL,
           model TEXT NOT NULL,
           device TEXT NOT NULL,
           processor TEXT NOT NULL,
           request TEXT NOT NULL,
           points INTEGER NOT NULL,
           boxes INTEGER NOT NULL,
           image_path TEXT NOT NULL,
           image_digest TEXT NOT NULL,
           attention TEXT NOT NULL,
           kv_cache TEXT NOT NULL,
           dtype TEXT NOT NULL,
           patches INTEGER,
           outcome TEXT NOT NULL,
           error TEXT NOT NULL,
           extra_peak_bytes INTEGER,
           total_ms REAL NOT NULL,
           tokens_per_s REAL
       );
       CREATE INDEX run_by_start ON run (started, id);
       CREATE TABLE run_lines (
           run INTEGER PRIMARY KEY,
           bytes INTEGER NOT NULL,
           deflated BLOB NOT NULL
       );)",
    "ALTER TABLE run ADD COLUMN mask_peak_bytes INTEGER;",
};
constexpr auto kSchema = static_cast<std::int64_t>(kSteps.size());
constexpr std::int64_t kApplication = 0x4d534b48; // "MSKH", in the file's header

constexpr const char* kColumns
    = "started, title, model, device, processor, request, points, boxes, image_path, image_digest,"
      " attention, kv_cache, dtype, patches, outcome, error, extra_peak_bytes, total_ms,"
      " tokens_per_s, mask_peak_bytes";

void bindSummary(Statement& statement, const RunSummary& run) {
    statement.bind(1, run.started)
        .bind(2, run.title)
        .bind(3, run.model)
        .bind(4, run.device)
        .bind(5, run.processor)
        .bind(6, run.request)
        .bind(7, run.points)
        .bind(8, run.boxes)
        .bind(9, run.imagePath)
        .bind(10, run.imageDigest)
        .bind(11, run.attention)
        .bind(12, run.kvCache)
        .bind(13, run.precision)
        .bind(14, run.patches)
        .bind(15, nameOf(run.outcome))
        .bind(16, run.error)
        .bind(17, run.extraPeakBytes)
        .bind(18, std::optional(run.totalMs))
        .bind(19, run.tokensPerSecond)
        .bind(20, run.maskPeakBytes);
}

RunSummary summaryIn(const Statement& row) {
    RunSummary run;
    run.id = row.integer(20);
    run.started = row.text(0);
    run.title = row.text(1);
    run.model = row.text(2);
    run.device = row.text(3);
    run.processor = row.text(4);
    run.request = row.text(5);
    run.points = row.integer(6);
    run.boxes = row.integer(7);
    run.imagePath = row.text(8);
    run.imageDigest = row.text(9);
    run.attention = row.text(10);
    run.kvCache = row.text(11);
    run.precision = row.text(12);
    run.patches = row.integerOrNull(13);
    run.outcome = runOutcomeFrom(row.text(14)).value_or(RunOutcome::Unfinished);
    run.error = row.text(15);
    run.extraPeakBytes = row.integerOrNull(16);
    run.totalMs = row.realOrNull(17).value_or(0);
    run.tokensPerSecond = row.realOrNull(18);
    run.maskPeakBytes = row.integerOrNull(19);
    return run;
}

[[noreturn]] void missing(std::int64_t id, const Database& database) {
    throw Failure(ErrorKind::Usage,
        "There is no run " + std::to_string(id) + " in the history "
            + printable(database.file().string()) + ": list it for those that are there.");
}

} // namespace

RunStore::RunStore(const std::filesystem::path& file)
    : m_database(file) {
    // Two programs may make the file at the same time.
    if (m_database.number("PRAGMA user_version") == kSchema
        && m_database.number("PRAGMA application_id") == kApplication)
        return;
    migrate();
}

void RunStore::migrate() {
    const std::string file = printable(m_database.file().string());
    const auto isEmpty
        = [&] { return m_database.number("SELECT count(*) FROM sqlite_master") == 0; };
    if (isEmpty()) // what is deleted makes the file smaller
        m_database.run("PRAGMA auto_vacuum = FULL");
    Transaction transaction(m_database);
    const std::int64_t schema = m_database.number("PRAGMA user_version");
    if (!isEmpty() && m_database.number("PRAGMA application_id") != kApplication)
        throw Failure(ErrorKind::Input,
            "The history " + file
                + " is another program's database. It was left as it is: choose another file.");
    if (schema > kSchema)
        throw Failure(ErrorKind::Input,
            "The history " + file + " has the schema " + std::to_string(schema)
                + " of a later Maskscope, and this one knows " + std::to_string(kSchema)
                + ": use the later one, or move the file away to begin a new one.");
    for (std::int64_t step = schema; step < kSchema; ++step)
        m_database.run(kSteps.at(static_cast<std::size_t>(step)));
    m_database.run("PRAGMA application_id = " + std::to_string(kApplication));
    m_database.run("PRAGMA user_version = " + std::to_string(kSchema));
    transaction.commit();
}

std::int64_t RunStore::add(const RunRecord& record) {
    const std::string lines = linesOf(record);
    const std::vector<std::byte> deflated = packed(lines);
    Transaction transaction(m_database);
    Statement summary = m_database.prepare("INSERT INTO run (" + std::string(kColumns)
        + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bindSummary(summary, summaryOf(record));
    summary.step();
    const std::int64_t id = m_database.lastId();
    m_database.prepare("INSERT INTO run_lines (run, bytes, deflated) VALUES (?, ?, ?)")
        .bind(1, id)
        .bind(2, static_cast<std::int64_t>(lines.size()))
        .bind(3, deflated)
        .step();
    transaction.commit();
    return id;
}

std::vector<RunSummary> RunStore::list(const RunFilter& filter) {
    Statement rows = m_database.prepare("SELECT " + std::string(kColumns)
        + ", id FROM run WHERE instr(lower(title || char(10) || request || char(10) || image_path"
          " || char(10) || model || char(10) || device || char(10) || processor), lower(?))"
          " ORDER BY started DESC, id DESC LIMIT ?");
    rows.bind(1, filter.words).bind(2, filter.most);
    std::vector<RunSummary> runs;
    while (rows.step())
        runs.push_back(summaryIn(rows));
    return runs;
}

RunRecord RunStore::load(std::int64_t id) {
    Statement row = m_database.prepare("SELECT bytes, deflated FROM run_lines WHERE run = ?");
    row.bind(1, id);
    if (!row.step())
        missing(id, m_database);
    const std::string what
        = "Run " + std::to_string(id) + " of the history " + printable(m_database.file().string());
    return runRecordFrom(unpacked(row.blob(1), row.integer(0), what), what);
}

void RunStore::remove(std::span<const std::int64_t> ids) {
    Transaction transaction(m_database);
    Statement summary = m_database.prepare("DELETE FROM run WHERE id = ?");
    Statement lines = m_database.prepare("DELETE FROM run_lines WHERE run = ?");
    for (const std::int64_t id : ids) {
        summary.bind(1, id).step();
        if (m_database.changes() == 0)
            missing(id, m_database);
        lines.bind(1, id).step();
    }
    transaction.commit();
}

} // namespace maskscope
