// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/anatomy_tools.h"
#include "app/attention_default.h"
#include "app/compare_tools.h"
#include "app/history_file.h"
#include "app/lab_tools.h"
#include "app/resources_folder.h"
#include "app/run_machine.h"
#include "core/compare/run_process.h"
#include "core/image/image_reader.h"
#include "core/measure/point_process.h"
#include "ui/application.h"
#include "ui/convert.h"
#include "ui/main_window.h"
#include "ui/run_history.h"
#include "ui/size_plan.h"

#include <QCommandLineParser>
#include <QTimer>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>

using namespace maskscope;

namespace {

/// The engine, loaded on the worker's thread, where everything the model does happens.
Worker::JobFactory engineFactory(Session& session, const std::filesystem::path& model) {
    return [&session, model](const EventSink& sink) -> Worker::Job {
        EngineOptions options;
        options.model = model;
        const std::shared_ptr<Engine> engine = Engine::create(options, sink).value();
        session.announceModel(
            {engine->info(), engine->attentionCapabilities(), engine->forecasts(roundImageSizes()),
                std::filesystem::absolute(model).string(), thisMachine()});
        return [engine](const Request& request, const EventSink& events) {
            // What ends a request, its error included, is told by its last event.
            (void)engine->run(request, events);
        };
    };
}

struct Options {
    QString image;
    QString request;
    QString model;
    QString screenshot;
    bool run = false;
};

Options readOptions(const QApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Segments pictures by words, clicks and boxes, and draws the memory live."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption image(
        QStringLiteral("image"), QStringLiteral("The same."), QStringLiteral("FILE"));
    const QCommandLineOption request(
        QStringLiteral("request"), QStringLiteral("What to find in it."), QStringLiteral("TEXT"));
    const QCommandLineOption model(QStringLiteral("model"),
        QStringLiteral("Model folder (default: the shipped one)."), QStringLiteral("DIR"));
    const QCommandLineOption run(
        QStringLiteral("run"), QStringLiteral("Run the request once the picture is open."));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"),
        QStringLiteral("Save a picture of the window after the first run, then leave."),
        QStringLiteral("FILE"));
    parser.addOptions({image, request, model, run, screenshot});
    parser.addPositionalArgument(
        QStringLiteral("picture"), QStringLiteral("Picture to open."), QStringLiteral("[picture]"));
    parser.process(application);
    const QStringList pictures = parser.positionalArguments() + parser.values(image);
    if (pictures.size() > 1) {
        std::fprintf(stderr, "maskscope: one picture can be opened at the start, not %lld.\n",
            static_cast<long long>(pictures.size()));
        std::exit(2);
    }
    return {pictures.value(0), parser.value(request), parser.value(model), parser.value(screenshot),
        parser.isSet(run)};
}

void printLine(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
}

void saveAndLeave(MainWindow& window, const QString& file) {
    const bool saved = window.grab().save(file);
    if (!saved)
        std::fprintf(stderr, "maskscope: %s cannot be written.\n", qUtf8Printable(file));
    QApplication::exit(saved ? 0 : 3);
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 3 && argv[1] == kPointCommand) { // a point of the Lab page's sweep
        std::puts(servePoint(argv[2]).c_str());
        return 0;
    }
    if (argc == 3 && argv[1] == kRunCommand) { // a run of the Compare page
        serveRun(argv[2], readImage, printLine);
        return 0;
    }
    if (argc == 3 && argv[1] == kAnatomyCommand) { // a look into a moment of a curve
        serveAnatomy(argv[2], readImage, printLine);
        return 0;
    }
    std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is told like a full disk
    Application application(argc, argv);
    // Qt takes the language of the session for printf as well: files want points, not commas.
    std::setlocale(LC_NUMERIC, "C");
    QApplication::setApplicationName(QStringLiteral("Maskscope"));
    QApplication::setApplicationVersion(QStringLiteral(MASKSCOPE_VERSION));
    const Options options = readOptions(application);

    Settings settings;
    if (const auto path = attentionPathFrom(defaultAttention()))
        settings.setDefaultAttention(*path);
    ThemeSwitch theme;
    theme.apply(settings.theme());
    RunHistory history(historyFile());
    Session session;
    const auto model = options.model.isEmpty() ? shippedModel() : toPath(options.model);
    MainWindow window(session, settings, theme,
        {readImage, exportMasks, labTools(), compareTools(model), anatomyTools(model)});
    window.useHistory(history);
    QObject::connect(&application, &Application::troubled, &window, &MainWindow::showError);
    session.load(engineFactory(session, model));

    const QString examples = toQString((resourcesFolder() / "examples").string());
    if (const auto found = readExamples(examples))
        window.setExamples(found.value());
    if (!options.image.isEmpty())
        window.openFile(options.image);
    if (!options.request.isEmpty())
        window.setRequest(options.request);
    if (!options.screenshot.isEmpty())
        QObject::connect(&window, &MainWindow::runEnded, &window, [&] {
            // The memory graph draws its last samples on the next frames.
            QTimer::singleShot(500, &window, [&] { saveAndLeave(window, options.screenshot); });
        });
    window.show();
    if (options.run)
        window.runWhenOpen();
    const int code = QApplication::exec();
    // The window has waited as long as it may; what is still computed is of no use to anybody.
    if (session.isBusy())
        std::_Exit(code);
    return code;
}
