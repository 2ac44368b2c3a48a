// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/relation.h"

#include <filesystem>
#include <tuple>

namespace maskscope {

namespace {

/// `what` with both values in brackets, unless they are the same.
void note(std::vector<std::string>& differences, const std::string& what, const std::string& first,
    const std::string& second) {
    if (first != second)
        differences.push_back(what + " (" + first + " and " + second + ")");
}

std::string pictureOf(const RunImage& image) {
    return std::filesystem::path(image.path).filename().string() + ", "
        + std::to_string(image.width) + " x " + std::to_string(image.height);
}

std::string wordsOf(const RunHeader& header) {
    return header.text.empty() ? "none" : "“" + header.text + "”";
}

/// The same sampling draws the same tokens; greedy runs draw none.
bool sameDraws(const RunHeader& a, const RunHeader& b, const Report& ofA, const Report& ofB) {
    const Sampling &x = a.settings.sampling, &y = b.settings.sampling;
    if (x.temperature == 0 && y.temperature == 0)
        return true;
    return std::tie(x.temperature, x.topK, x.topP) == std::tie(y.temperature, y.topK, y.topP)
        && ofA.seed == ofB.seed;
}

std::vector<std::string> questionsOf(
    const RunHeader& a, const RunHeader& b, const Report& ofA, const Report& ofB) {
    std::vector<std::string> differences;
    if (a.image.digest != b.image.digest)
        differences.push_back(
            "the picture (" + pictureOf(a.image) + ", and " + pictureOf(b.image) + ")");
    note(differences, "the words", wordsOf(a), wordsOf(b));
    if (a.points != b.points)
        differences.emplace_back("the clicks");
    if (a.boxes != b.boxes)
        differences.emplace_back("the boxes");
    note(differences, "the meaning of the click", std::to_string(a.meaning),
        std::to_string(b.meaning));
    if (!sameDraws(a, b, ofA, ofB))
        differences.emplace_back("the sampling or its seed");
    if (ofA.answerCut || ofB.answerCut)
        note(differences, "the longest answer", std::to_string(a.settings.maxNewTokens),
            std::to_string(b.settings.maxNewTokens));
    return differences;
}

/// Their files tell models apart, and where a record is older than that, their names.
void noteModels(std::vector<std::string>& differences, const RunHeader& a, const RunHeader& b) {
    const bool known = !a.modelDigest.empty() && !b.modelDigest.empty();
    if (known ? a.modelDigest == b.modelDigest : a.modelName == b.modelName)
        return;
    if (a.modelName == b.modelName)
        differences.push_back("the files of the model " + a.modelName);
    else
        note(differences, "the model", a.modelName, b.modelName);
}

std::vector<std::string> inputsOf(
    const RunHeader& a, const RunHeader& b, const Report& ofA, const Report& ofB) {
    std::vector<std::string> differences;
    noteModels(differences, a, b);
    note(differences, "the version of Maskscope", a.programVersion, b.programVersion);
    note(differences, "the precision", std::string(nameOf(ofA.precision)),
        std::string(nameOf(ofB.precision)));
    if (a.image.digest == b.image.digest)
        note(differences, "the number of patches", std::to_string(ofA.patches),
            std::to_string(ofB.patches));
    return differences;
}

/// Everything that may change the order of additions.
bool sameComputation(const RunHeader& a, const RunHeader& b, const Report& ofA, const Report& ofB) {
    const auto of = [](const RunHeader& header, const Report& report) {
        const RunMachine& machine = header.machine;
        return std::tie(report.attention.used, report.kvCache, report.device, machine.threads,
            machine.torchVersion, machine.processor, machine.capability);
    };
    return of(a, ofA) == of(b, ofB);
}

} // namespace

Relation relationOf(const RunRecord& first, const RunRecord& second) {
    const RunHeader &a = first.header, &b = second.header;
    const Report &ofA = *reportOf(first), &ofB = *reportOf(second);
    Relation relation;
    relation.samePicture = a.image.digest == b.image.digest;
    relation.questions = questionsOf(a, b, ofA, ofB);
    relation.inputs = inputsOf(a, b, ofA, ofB);
    if (!relation.questions.empty() || !relation.inputs.empty())
        relation.kind = PairKind::Input;
    else
        relation.kind = sameComputation(a, b, ofA, ofB) ? PairKind::Wiring : PairKind::Path;
    return relation;
}

} // namespace maskscope
