// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/size_planner.h"

#include "ui/colours.h"
#include "ui/convert.h"
#include "ui/figure_table.h"
#include "ui/graph_axis.h"
#include "ui/size_plan.h"
#include "ui/slider_marks.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

constexpr double kGiB = 1 << 30;
constexpr double kUsable = 0.9; ///< of what is free, as a run's automatic limit
constexpr std::int64_t kMostPixels = 1'000'000'000; ///< that are looked at
constexpr std::int64_t kFirstPixels = 2'000'000;

/// On the slider of roundImageSizes().
std::vector<SliderMarks::Mark> sizeMarks() {
    const auto& sizes = roundImageSizes();
    std::vector<SliderMarks::Mark> marks;
    for (const auto& [pixels, title] : {std::pair(500'000, "0.5"), std::pair(1'000'000, "1"),
             std::pair(2'000'000, "2"), std::pair(3'000'000, "3"), std::pair(8'000'000, "8 MP")})
        marks.push_back({static_cast<int>(std::ranges::lower_bound(sizes, pixels) - sizes.begin()),
            QString::fromLatin1(title)});
    return marks;
}

LayerPath layerPathOf(AttentionPath path) {
    switch (path) {
    case AttentionPath::Mha:
        return LayerPath::Mha;
    case AttentionPath::Flash:
        return LayerPath::Flash;
    case AttentionPath::Ring:
        return LayerPath::Ring;
    default:
        return LayerPath::Sdpa;
    }
}

} // namespace

SizePlanner::SizePlanner(QWidget* parent)
    : QWidget(parent)
    , m_headline(new QLabel(this))
    , m_memory(new QDoubleSpinBox(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_size(new QLabel(this))
    , m_use(new QPushButton(this))
    , m_table(new FigureTable(tr("What the image size needs"), this)) {
    setObjectName(QStringLiteral("sizePlanner"));
    m_headline->setObjectName(QStringLiteral("labHeadline"));
    m_headline->setTextFormat(Qt::PlainText);
    m_headline->setWordWrap(true);
    QFont large = m_headline->font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    large.setBold(true);
    m_headline->setFont(large);
    m_headline->setMinimumHeight(2 * QFontMetrics(large).lineSpacing()); // nothing moves with it
    m_table->setObjectName(QStringLiteral("sizeTable"));
    m_table->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setHorizontalSpacing(20);
    layout->setVerticalSpacing(6);
    layout->addWidget(m_headline, 0, 0);
    layout->addWidget(makeControls(), 1, 0);
    layout->addWidget(m_table, 0, 1, 2, 1, Qt::AlignTop);
    layout->setColumnStretch(0, 1);
    layout->setColumnStretch(1, 1);
    layout->setRowStretch(0, 1);
    connectControls();
    planPaths();
}

QWidget* SizePlanner::makeControls() {
    m_memory->setObjectName(QStringLiteral("planMemoryBox"));
    m_memory->setRange(0, 4096);
    m_memory->setDecimals(1);
    m_memory->setSuffix(QStringLiteral(" GiB"));
    m_memory->setSpecialValueText(tr("Free here"));
    m_memory->setToolTip(
        tr("The memory to plan for: what is free here, or that of another device"));
    const auto& sizes = roundImageSizes();
    m_slider->setObjectName(QStringLiteral("sizeSlider"));
    m_slider->setRange(0, static_cast<int>(sizes.size()) - 1);
    m_slider->setPageStep(4);
    m_slider->setAccessibleName(tr("Image size"));
    m_slider->setValue(static_cast<int>(
        std::lower_bound(sizes.begin(), sizes.end(), kFirstPixels) - sizes.begin()));
    m_size->setObjectName(QStringLiteral("sizeLabel"));
    m_size->setTextFormat(Qt::PlainText);
    m_size->setMinimumWidth(
        fontMetrics().horizontalAdvance(QStringLiteral("0.07 MP, 157,000 patches")));
    m_use->setObjectName(QStringLiteral("useSizeButton"));

    auto* controls = new QWidget(this);
    auto* grid = new QGridLayout(controls);
    grid->setContentsMargins(0, 0, 0, 0);
    auto* sizeTitle = new QLabel(tr("Ima&ge size"), controls);
    sizeTitle->setBuddy(m_slider);
    auto* memoryTitle = new QLabel(tr("Memor&y"), controls);
    memoryTitle->setBuddy(m_memory);
    grid->addWidget(sizeTitle, 0, 0);
    grid->addWidget(m_slider, 0, 1, 1, 2);
    grid->addWidget(m_size, 0, 3, 2, 1, Qt::AlignTop);
    grid->addWidget(new SliderMarks(*m_slider, sizeMarks(), controls), 1, 1, 1, 2);
    grid->addWidget(memoryTitle, 2, 0);
    grid->addWidget(m_memory, 2, 1);
    grid->addWidget(m_use, 2, 2, 1, 2, Qt::AlignRight);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(2, 1);
    return controls;
}

void SizePlanner::connectControls() {
    connect(m_slider, &QSlider::valueChanged, this, &SizePlanner::showSize);
    connect(m_memory, &QDoubleSpinBox::valueChanged, this, &SizePlanner::planPaths);
    connect(m_use, &QPushButton::clicked, this, [this] { Q_EMIT pixelsChosen(fittingPixels()); });
}

void SizePlanner::setMachine(const MachineInfo& machine) {
    m_free = machine.memoryFree;
    m_available.clear();
    for (const AttentionCapability& capability : machine.attention)
        if (capability.available)
            m_available.push_back(capability.path);
    makePlans();
}

void SizePlanner::setModel(const ModelDescription& model) {
    m_forecasts = model.forecasts;
    m_modelPixels = model.info.mostPixels;
    makePlans();
}

void SizePlanner::makePlans() {
    m_paths.clear();
    for (const AttentionPath path : m_available)
        m_paths.push_back({path, NeedCurve(m_forecasts, path)});
    planPaths();
}

void SizePlanner::setLayer(const LayerShape& shape, int threads) {
    m_shape = shape;
    m_threads = threads;
    planPaths();
}

void SizePlanner::setPicture(const std::shared_ptr<const Picture>& picture) {
    m_picture
        = picture ? PictureShape{picture->image->width, picture->image->height} : PictureShape();
    m_pictureName = picture ? picture->name : QString();
    planPaths();
}

QString SizePlanner::pictureText() const {
    return m_pictureName.isEmpty() ? tr("a 3:2 picture") : m_pictureName;
}

void SizePlanner::setRunPath(AttentionPath path) {
    m_runPath = path == AttentionPath::Auto ? AttentionPath::Sdpa : path;
    showStep();
}

std::int64_t SizePlanner::pixels() const {
    return roundImageSizes().at(static_cast<std::size_t>(m_slider->value()));
}

QString SizePlanner::headline() const {
    return m_headline->text();
}

std::optional<std::int64_t> SizePlanner::budget() const {
    if (m_memory->value() > 0)
        return static_cast<std::int64_t>(m_memory->value() * kGiB);
    return m_free ? std::optional(static_cast<std::int64_t>(double(*m_free) * kUsable))
                  : std::nullopt;
}

std::int64_t SizePlanner::layerBytes(std::int64_t patches, AttentionPath path) const {
    LayerShape shape = m_shape;
    shape.path = layerPathOf(path);
    shape.patches = patches;
    return layerPeakBytes(shape, m_threads);
}

std::int64_t SizePlanner::needOf(std::int64_t pixels, const PathPlan& plan) const {
    const std::int64_t patches = patchesOf(pixels, m_picture);
    return plan.need.isEmpty() ? layerBytes(patches, plan.path) : plan.need.at(patches).peakBytes;
}

void SizePlanner::planPaths() {
    if (const auto bytes = budget())
        for (PathPlan& plan : m_paths)
            plan.mostPixels = mostPixelsWithin(
                *bytes, kMostPixels, [&](std::int64_t pixels) { return needOf(pixels, plan); });
    showHeadline();
    showSize();
}

void SizePlanner::showHeadline() {
    if (m_paths.empty()) {
        m_headline->setText(tr("Looking at this machine…"));
        return;
    }
    if (!budget()) {
        m_headline->setText(tr("This machine does not tell what is free: set the memory below."));
        return;
    }
    QStringList parts;
    for (const PathPlan& plan : m_paths) {
        const QString name = toQString(nameOf(plan.path));
        parts += plan.mostPixels > 0 ? tr("%1 up to %2").arg(name, megapixelText(plan.mostPixels))
                                     : tr("%1 not at all").arg(name);
    }
    const QString where = m_memory->value() > 0
        ? tr("With %1:").arg(sizeText(budget()))
        : tr("This machine, %1 free:").arg(sizeText(m_free));
    const bool beyond = m_modelPixels > 0
        && std::ranges::any_of(
            m_paths, [&](const PathPlan& plan) { return plan.mostPixels > m_modelPixels; });
    m_headline->setText(where + u' ' + parts.join(QStringLiteral(", "))
        + (beyond ? tr(" (the loaded model takes %1 at most)").arg(megapixelText(m_modelPixels))
                  : QString()));
    QString tip = m_forecasts.empty()
        ? tr("The largest size of %1 over whose patches one layer is predicted to fit")
              .arg(pictureText())
        : tr("The largest size of %1 at which a whole run with the loaded model is predicted to "
             "fit")
              .arg(pictureText());
    if (m_modelPixels > 0)
        tip += tr("; beyond the %1 that the model accepts by the law of its sizes")
                   .arg(megapixelText(m_modelPixels));
    m_headline->setToolTip(tip);
}

void SizePlanner::showSize() {
    const std::int64_t wanted = pixels();
    const std::int64_t patches = patchesOf(wanted, m_picture);
    m_size->setText(tr("%1, %2 patches").arg(megapixelText(wanted), countText(patches)) + u'\n'
        + fontMetrics().elidedText(
            tr("of %1").arg(pictureText()), Qt::ElideMiddle, m_size->minimumWidth()));
    m_slider->setAccessibleDescription(m_size->text());
    m_slider->setToolTip(toolTipText(tr("The size at which the model sees %1").arg(pictureText())));
    const auto bytes = budget();
    FigureSheet sheet;
    sheet.columns = {{tr("Path")},
        {tr("Sweep's layer"),
            tr("One layer of the shape on the left, %1 heads and width %2, over these patches: "
               "another one than the loaded model's")
                .arg(m_shape.heads)
                .arg(m_shape.width)},
        {tr("Model's masks"), tr("The loaded model's mask stage")},
        {tr("Model's run"), tr("The highest of all stages above the loaded model")}, {tr("Fits")},
        {tr("At most"), tr("The largest size whose whole run fits")}};
    for (const PathPlan& plan : m_paths) {
        const QString none = QStringLiteral("N/A");
        QString mask = none, run = none;
        if (!plan.need.isEmpty()) {
            const NeedCurve::Need need = plan.need.at(patches);
            mask = sizeText(need.maskBytes);
            run = sizeText(need.peakBytes);
        }
        const bool fits = bytes && needOf(wanted, plan) <= *bytes;
        sheet.rows.push_back(
            {{toQString(nameOf(plan.path)), sizeText(layerBytes(patches, plan.path)), mask, run,
                 !bytes     ? none
                     : fits ? tr("yes")
                            : tr("no"),
                 bytes ? megapixelText(plan.mostPixels) : none},
                colourOf(layerPathOf(plan.path))});
    }
    m_table->setSheet(sheet);
    m_table->setFixedHeight(m_table->sizeHint().height());
    showStep();
}

std::int64_t SizePlanner::fittingPixels() const {
    std::int64_t fitting = pixels();
    if (m_modelPixels > 0)
        fitting = std::min(fitting, m_modelPixels);
    for (const PathPlan& plan : m_paths)
        if (plan.path == m_runPath && budget())
            fitting = std::min(fitting, plan.mostPixels);
    return fitting;
}

void SizePlanner::showStep() {
    const std::int64_t fitting = fittingPixels();
    const bool shrinks = fitting < pixels();
    m_use->setText(shrinks ? tr("&Shrink to fit: %1").arg(megapixelText(fitting))
                           : tr("&Segment at %1").arg(megapixelText(fitting)));
    const QString path = toQString(nameOf(m_runPath));
    m_use->setToolTip(!shrinks ? tr("Sets the image size of the Segment page")
            : m_modelPixels > 0 && fitting == m_modelPixels
            ? tr("Sets the image size of the Segment page to the most that the model accepts")
            : tr("Sets the image size of the Segment page to the largest that fits with its path, "
                 "%1")
                  .arg(path));
    m_use->setEnabled(!m_forecasts.empty() && fitting > 0);
}

} // namespace maskscope
