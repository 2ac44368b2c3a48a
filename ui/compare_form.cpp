// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_form.h"

#include "ui/colours.h"
#include "ui/convert.h"
#include "ui/icons.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

namespace maskscope {

namespace {

constexpr std::size_t kLeastRows = 2;

std::string titleOf(const RunSettings& settings) {
    std::string title(nameOf(settings.attention));
    if (settings.precision != Precision::Auto)
        title += ", " + std::string(nameOf(settings.precision));
    if (settings.kvCache == KvCacheMode::Off)
        title += ", without KV cache";
    return title;
}

} // namespace

CompareForm::CompareForm(QWidget* parent)
    : QWidget(parent)
    , m_list(new QVBoxLayout)
    , m_add(new QPushButton(tr("&Add a configuration"), this))
    , m_repeats(new QSpinBox(this)) {
    setObjectName(QStringLiteral("compareForm"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(8);
    layout->addWidget(new QLabel(tr("Run the request of the Segment page as"), this));
    m_list->setSpacing(8);
    layout->addLayout(m_list);
    m_add->setObjectName(QStringLiteral("addConfiguration"));
    m_add->setToolTip(tr("Up to four can be compared at once"));
    layout->addWidget(m_add);
    m_repeats->setObjectName(QStringLiteral("compareRepeats"));
    m_repeats->setRange(1, 100);
    m_repeats->setToolTip(tr("Runs of each configuration, in turns; times are their medians"));
    auto* form = new QFormLayout;
    form->addRow(tr("Repe&ats"), m_repeats);
    layout->addLayout(form);
    layout->addStretch(1);
    connect(m_add, &QPushButton::clicked, this, [this] { addRow(AttentionPath::Flash); });
    connect(m_repeats, &QSpinBox::valueChanged, this, &CompareForm::changed);
    addRow(AttentionPath::Mha);
    addRow(AttentionPath::Sdpa);
}

void CompareForm::addRow(AttentionPath path) {
    auto* widget = new QWidget(this);
    Row row{widget, new QLabel(widget), new QComboBox(widget), new QComboBox(widget),
        new QCheckBox(tr("KV cache"), widget), new QToolButton(widget)};
    for (const AttentionPath each : {AttentionPath::Auto, AttentionPath::Mha, AttentionPath::Sdpa,
             AttentionPath::Flash, AttentionPath::Ring})
        row.path->addItem(toQString(nameOf(each)), int(each));
    applyCapabilities(*row.path);
    row.path->setCurrentIndex(row.path->findData(int(path)));
    row.path->setAccessibleName(tr("Attention path"));
    row.path->setToolTip(tr("Attention of the mask decoder"));
    for (const Precision each :
        {Precision::Auto, Precision::Float32, Precision::BFloat16, Precision::Float16})
        row.precision->addItem(
            each == Precision::Auto ? tr("auto precision") : toQString(nameOf(each)), int(each));
    row.precision->setAccessibleName(tr("Precision"));
    row.cache->setChecked(true);
    row.cache->setToolTip(tr("Keeps keys and values of earlier tokens"));
    row.remove->setIcon(icon(QStringLiteral("clear")));
    row.remove->setAutoRaise(true);
    row.remove->setToolTip(tr("Leave this configuration out"));
    row.remove->setAccessibleName(row.remove->toolTip());
    auto* grid = new QGridLayout(widget);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->addWidget(row.number, 0, 0);
    grid->addWidget(row.path, 0, 1);
    grid->addWidget(row.precision, 0, 2);
    grid->addWidget(row.remove, 0, 3);
    grid->addWidget(row.cache, 1, 1, 1, 2);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    connect(row.remove, &QToolButton::clicked, this, [this, widget] { removeRow(widget); });
    connect(row.path, &QComboBox::currentIndexChanged, this, &CompareForm::changed);
    connect(row.precision, &QComboBox::currentIndexChanged, this, &CompareForm::changed);
    connect(row.cache, &QCheckBox::toggled, this, &CompareForm::changed);
    m_list->addWidget(widget);
    m_rows.push_back(row);
    renumber();
    Q_EMIT changed();
}

void CompareForm::removeRow(const QWidget* widget) {
    const auto row = std::ranges::find(m_rows, widget, &Row::widget);
    if (row == m_rows.end())
        return;
    row->widget->hide();
    row->widget->deleteLater();
    m_rows.erase(row);
    renumber();
    Q_EMIT changed();
}

void CompareForm::renumber() {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        QPixmap mark(12, 12);
        mark.fill(colourOfMask(int(i)));
        m_rows[i].number->setPixmap(mark);
        m_rows[i].number->setToolTip(tr("Its colour in the graph"));
        m_rows[i].remove->setEnabled(m_rows.size() > kLeastRows);
    }
    m_add->setEnabled(m_rows.size() < kMostConfigurations);
}

void CompareForm::applyCapabilities(QComboBox& paths) const {
    auto* items = qobject_cast<QStandardItemModel*>(paths.model());
    for (const AttentionCapability& capability : m_capabilities) {
        const int index = paths.findData(int(capability.path));
        if (index < 0)
            continue;
        items->item(index)->setEnabled(capability.available);
        items->item(index)->setToolTip(toolTipText(toQString(capability.reason)));
    }
}

void CompareForm::setCapabilities(const std::vector<AttentionCapability>& capabilities) {
    m_capabilities = capabilities;
    for (const Row& row : m_rows)
        applyCapabilities(*row.path);
}

ComparisonPlan CompareForm::plan(const RunHeader& question) const {
    ComparisonPlan plan{{}, m_repeats->value()};
    std::map<std::string, int> seen;
    for (const Row& row : m_rows) {
        RunHeader header = question;
        header.settings.attention = static_cast<AttentionPath>(row.path->currentData().toInt());
        header.settings.precision = static_cast<Precision>(row.precision->currentData().toInt());
        header.settings.kvCache = row.cache->isChecked() ? KvCacheMode::On : KvCacheMode::Off;
        header.title = titleOf(header.settings);
        if (const int same = ++seen[header.title]; same > 1)
            header.title += " (" + std::to_string(same) + ")";
        plan.configurations.push_back(std::move(header));
    }
    return plan;
}

} // namespace maskscope
