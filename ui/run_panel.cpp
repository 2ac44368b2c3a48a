// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_panel.h"

#include "ui/convert.h"
#include "ui/icons.h"
#include "ui/megapixel_box.h"
#include "ui/ring_box.h"
#include "ui/size_plan.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <array>

namespace maskscope {

namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr int kLargestLimitMiB = 4 * 1024 * 1024;

struct PathText {
    AttentionPath path;
    const char* text;
    const char* tip;
};

constexpr auto kRingTip
    = QT_TRANSLATE_NOOP("maskscope::RunPanel", "Flash attention over ranks that share the patches");

constexpr std::array kPaths{
    PathText{AttentionPath::Auto, QT_TRANSLATE_NOOP("maskscope::RunPanel", "Automatic"),
        QT_TRANSLATE_NOOP("maskscope::RunPanel", "The best path that this machine has")},
    PathText{AttentionPath::Sdpa, QT_TRANSLATE_NOOP("maskscope::RunPanel", "sdpa"),
        QT_TRANSLATE_NOOP(
            "maskscope::RunPanel", "Scaled dot-product attention; memory grows linearly")},
    PathText{AttentionPath::Flash, QT_TRANSLATE_NOOP("maskscope::RunPanel", "flash"),
        QT_TRANSLATE_NOOP(
            "maskscope::RunPanel", "Flash attention on packed tokens; memory grows linearly")},
    PathText{AttentionPath::Ring, QT_TRANSLATE_NOOP("maskscope::RunPanel", "ring"), kRingTip},
    PathText{AttentionPath::Mha, QT_TRANSLATE_NOOP("maskscope::RunPanel", "mha"),
        QT_TRANSLATE_NOOP("maskscope::RunPanel",
            "The native multi-head path, which holds a patches × patches matrix: for comparison")},
};

} // namespace

RunPanel::RunPanel(QWidget* parent)
    : QWidget(parent)
    , m_past(new QLabel(tr("As the past run was asked for:"), this))
    , m_attention(new QComboBox(this))
    , m_ranks(new RingBox(this))
    , m_megapixels(new MegapixelBox(tr("Automatic"), this))
    , m_kvCache(new QCheckBox(tr("Keep keys and values"), this))
    , m_limit(new QSpinBox(this))
    , m_temperature(new QDoubleSpinBox(this))
    , m_seed(new QLineEdit(this)) {
    setObjectName(QStringLiteral("runPanel"));
    makeFields();

    auto* resetButton = new QPushButton(icon(QStringLiteral("reset")), tr("Reset"), this);
    resetButton->setToolTip(tr("Back to the defaults"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(10, 8, 10, 8);
    form->setVerticalSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_past->setObjectName(QStringLiteral("pastSettings"));
    m_past->hide();
    form->addRow(m_past);
    form->addRow(tr("&Attention"), m_attention);
    form->addRow(tr("&Ring"), m_ranks);
    form->addRow(tr("&Image size"), m_megapixels);
    form->addRow(tr("&KV cache"), m_kvCache);
    form->addRow(tr("Memory &limit"), m_limit);
    form->addRow(tr("Te&mperature"), m_temperature);
    form->addRow(tr("Se&ed"), m_seed);
    form->addRow(QString(), resetButton);

    connect(m_attention, &QComboBox::currentIndexChanged, this, &RunPanel::updateRing);
    connect(m_megapixels, &QDoubleSpinBox::valueChanged, this, &RunPanel::updateRing);
    connect(m_attention, &QComboBox::currentIndexChanged, this, &RunPanel::changed);
    connect(m_ranks, &QSpinBox::valueChanged, this, &RunPanel::changed);
    connect(m_megapixels, &QDoubleSpinBox::valueChanged, this, &RunPanel::changed);
    connect(m_kvCache, &QCheckBox::toggled, this, &RunPanel::changed);
    connect(m_limit, &QSpinBox::valueChanged, this, &RunPanel::changed);
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, &RunPanel::changed);
    connect(m_seed, &QLineEdit::textChanged, this, &RunPanel::changed);
    connect(resetButton, &QPushButton::clicked, this, &RunPanel::reset);
    updateRing();
}

void RunPanel::makeFields() {
    m_attention->setObjectName(QStringLiteral("attentionBox"));
    for (const PathText& entry : kPaths) {
        m_attention->addItem(tr(entry.text), static_cast<int>(entry.path));
        m_attention->setItemData(m_attention->count() - 1, tr(entry.tip), Qt::ToolTipRole);
    }
    m_attention->setToolTip(tr("How the mask decoder's attention is computed"));
    m_ranks->setObjectName(QStringLiteral("ringRanksBox"));
    m_megapixels->setObjectName(QStringLiteral("imageSizeBox"));
    m_megapixels->setToolTip(tr("At which the model sees the image; automatic is the size it was "
                                "trained on"));
    m_kvCache->setObjectName(QStringLiteral("kvCacheBox"));
    m_kvCache->setChecked(true);
    m_kvCache->setToolTip(tr(
        "Without the cache every token computes the whole prompt again: the same answer, slower"));
    m_limit->setObjectName(QStringLiteral("limitBox"));
    m_limit->setRange(0, kLargestLimitMiB);
    m_limit->setSingleStep(64);
    m_limit->setAccelerated(true);
    m_limit->setSuffix(QStringLiteral(" MiB"));
    m_limit->setSpecialValueText(tr("Automatic"));
    m_limit->setToolTip(
        tr("The most memory that tensors may take; automatic is 90 % of what is free"));
    m_temperature->setObjectName(QStringLiteral("temperatureBox"));
    m_temperature->setRange(0, 2);
    m_temperature->setSingleStep(0.1);
    m_temperature->setDecimals(2);
    m_temperature->setToolTip(tr("0 always takes the likeliest token"));
    m_seed->setObjectName(QStringLiteral("seedEdit"));
    m_seed->setPlaceholderText(tr("Random"));
    m_seed->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,19}")), m_seed));
    m_seed->setToolTip(tr("The same seed gives the same answer, also above temperature 0"));
}

void RunPanel::reset() {
    setSettings({});
}

RunSettings RunPanel::settings() const {
    return m_own.value_or(shownSettings());
}

RunSettings RunPanel::shownSettings() const {
    RunSettings settings;
    settings.attention = static_cast<AttentionPath>(m_attention->currentData().toInt());
    if (settings.attention == AttentionPath::Ring)
        settings.ringDevices = m_ranks->devices();
    settings.pixels = m_megapixels->pixels();
    settings.kvCache = m_kvCache->isChecked() ? KvCacheMode::On : KvCacheMode::Off;
    if (m_limit->value() > 0)
        settings.memoryLimit = m_limit->value() * kMiB;
    settings.sampling.temperature = m_temperature->value();
    if (!m_seed->text().isEmpty())
        settings.sampling.seed = m_seed->text().toULongLong();
    return settings;
}

void RunPanel::setSettings(const RunSettings& settings) {
    m_attention->setCurrentIndex(m_attention->findData(static_cast<int>(settings.attention)));
    m_ranks->setDevices(settings.ringDevices);
    m_megapixels->setPixels(settings.pixels);
    m_kvCache->setChecked(settings.kvCache == KvCacheMode::On);
    m_limit->setValue(static_cast<int>(settings.memoryLimit.value_or(0) / kMiB));
    m_temperature->setValue(settings.sampling.temperature);
    m_seed->setText(settings.sampling.seed ? QString::number(*settings.sampling.seed) : QString());
}

void RunPanel::showPast(const RunSettings& settings) {
    m_own = this->settings();
    showQuietly(settings);
    m_past->show();
    setEnabled(false);
}

void RunPanel::showOwn() {
    if (!m_own)
        return;
    showQuietly(*m_own);
    m_own.reset();
    m_past->hide();
    setEnabled(true);
}

void RunPanel::showQuietly(const RunSettings& settings) {
    const QSignalBlocker quiet(this);
    setSettings(settings);
}

void RunPanel::setCapabilities(const std::vector<AttentionCapability>& capabilities) {
    auto* items = qobject_cast<QStandardItemModel*>(m_attention->model());
    for (const AttentionCapability& capability : capabilities) {
        const int index = m_attention->findData(static_cast<int>(capability.path));
        if (index < 0)
            continue;
        if (capability.path == AttentionPath::Ring)
            m_noRing = capability.available ? QString() : toQString(capability.reason);
        items->item(index)->setEnabled(capability.available);
        if (!capability.available)
            m_attention->setItemData(
                index, toolTipText(toQString(capability.reason)), Qt::ToolTipRole);
    }
    if (!m_own && !items->item(m_attention->currentIndex())->isEnabled())
        chooseAutomaticAttention();
    updateRing();
}

void RunPanel::updateRing() {
    const auto path = static_cast<AttentionPath>(m_attention->currentData().toInt());
    m_ranks->setEnabled(path == AttentionPath::Ring);
    QString reason = m_noRing;
    const std::int64_t chosen = m_megapixels->pixels();
    if (const std::int64_t pixels = chosen > 0 ? chosen : m_trainingPixels;
        reason.isEmpty() && pixels > 0)
        reason = tooFewForRing(patchesOf(pixels));
    const int index = m_attention->findData(static_cast<int>(AttentionPath::Ring));
    qobject_cast<QStandardItemModel*>(m_attention->model())
        ->item(index)
        ->setEnabled(reason.isEmpty());
    m_attention->setItemData(
        index, reason.isEmpty() ? tr(kRingTip) : toolTipText(reason), Qt::ToolTipRole);
}

void RunPanel::setMostPixels(std::int64_t pixels) {
    m_megapixels->setMostPixels(pixels);
}

void RunPanel::setTrainingPixels(std::int64_t pixels) {
    m_trainingPixels = pixels;
    updateRing();
}

void RunPanel::setPixels(std::int64_t pixels) {
    if (!m_own) {
        m_megapixels->setPixels(pixels);
        return;
    }
    m_own->pixels = pixels;
    Q_EMIT changed();
}

void RunPanel::focusMemoryLimit() {
    m_limit->setFocus();
    m_limit->selectAll();
}

void RunPanel::chooseAutomaticAttention() {
    m_attention->setCurrentIndex(m_attention->findData(static_cast<int>(AttentionPath::Auto)));
}

} // namespace maskscope
