// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_test.h"

#include "ui/convert.h"

#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>

namespace maskscope {

namespace {

Image readByQt(const std::filesystem::path& path) {
    const QString file = QString::fromStdString(path.string());
    const QImage image(file);
    if (image.isNull())
        throw Failure(ErrorKind::Input, path.string() + " is not a picture: choose another file.");
    Image result = toImage(image);
    if (file.contains(QStringLiteral("noted")))
        result.source.notes = {"It has 3 pages; only the first is shown."};
    return result;
}

} // namespace

void WindowTest::init() {
    UiTest::init();
    m_folder = std::make_unique<QTemporaryDir>();
    m_model = std::make_shared<FakeModel>();
    m_lab = std::make_shared<FakeLab>();
    m_anatomy = std::make_shared<FakeAnatomy>();
    m_session = std::make_unique<Session>();
    m_settings = std::make_unique<Settings>(m_folder->filePath(QStringLiteral("s.ini")));
    m_theme = std::make_unique<ThemeSwitch>();
    openWindow();
    m_session->load([this](const EventSink& sink) {
        ModelDescription description;
        description.info.name = "lens-small";
        description.machine.processor = "Some CPU";
        m_session->announceModel(description);
        return FakeModel::factoryFor(m_model)(sink);
    });
    QTRY_VERIFY(!m_session->isBusy()); // loaded, and told of it
}

void WindowTest::cleanup() {
    m_window.reset();
    m_session.reset();
    m_settings.reset();
}

WindowTools WindowTest::tools() const {
    return {
        readByQt, {}, FakeLab::toolsFor(m_lab), CompareTools{}, FakeAnatomy::toolsFor(m_anatomy)};
}

void WindowTest::openWindow() {
    m_window = std::make_unique<MainWindow>(*m_session, *m_settings, *m_theme, tools());
    prepareWindow();
    connect(qobject_cast<Application*>(qApp), &Application::troubled, m_window.get(),
        &MainWindow::showError);
    m_window->resize(1280, 800);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

QString WindowTest::file(const QString& name, Qt::GlobalColor colour) const {
    const QString path = m_folder->filePath(name);
    QImage image(320, 240, QImage::Format_RGB32);
    image.fill(colour);
    image.save(path, "PNG");
    return path;
}

QPoint WindowTest::onCanvas(double x, double y) const {
    return canvas().geometryOfImage().toView(QPointF(x, y)).toPoint();
}

void WindowTest::openImage(const QString& name) {
    m_window->openFile(file(name));
    QTRY_VERIFY(m_window->windowTitle().startsWith(name) && canvas().isVisible());
}

void WindowTest::drop(const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls += QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &drop);
}

void WindowTest::closeWithoutSaving() {
    m_window->close();
    QTRY_VERIFY(m_window->findChild<QMessageBox*>() != nullptr);
    auto* question = m_window->findChild<QMessageBox*>();
    const auto buttons = question->buttons();
    for (QAbstractButton* button : buttons)
        if (question->buttonRole(button) == QMessageBox::DestructiveRole)
            QTest::mouseClick(button, Qt::LeftButton);
}

void WindowTest::typeAndRun(const QString& words) {
    edit().setFocus();
    edit().selectAll();
    QTest::keyClicks(&edit(), words);
    QTest::keyClick(&edit(), Qt::Key_Return);
}

void WindowTest::answerSlowly(std::chrono::milliseconds perToken) {
    FakeAnswer slow;
    slow.perToken = perToken;
    m_model->setAnswer(slow);
}

} // namespace maskscope
