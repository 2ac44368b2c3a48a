#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / ".ci"))
import check_layers


def problems(files):
    """What the check says about a tree given as {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return check_layers.check(check_layers.read_tree(Path(folder)))


def only(files):
    found = problems(files)
    assert len(found) == 1, found
    return found[0]


class Direction(unittest.TestCase):
    def test_downwards_is_fine(self):
        self.assertEqual(problems({
            "app/desktop.cpp": '#include "ui/window.h"\n#include <QApplication>\n',
            "ui/window.h": '#include "core/engine/engine.h"\n#include <QtWidgets/QWidget>\n',
            "core/engine/engine.h": '#include "core/mask/mask.h"\n#include <vector>\n',
            "core/mask/mask.h": '#include "kernels/overlay.h"\n',
            "core/mask/decoder.cpp": '#include "core/attention/patch.h"\n#include <ATen/core/Tensor.h>\n',
            "core/attention/patch.h": '#include <torch/nn/module.h>\n',
            "kernels/overlay.h": "#include <cstdint>\n"}), [])

    def test_upwards_is_refused_with_place(self):
        files = {"core/base/a.h": '\n#include "ui/b.h"\n', "ui/b.h": ""}
        self.assertEqual(only(files), "core/base/a.h:2: ui/b.h: core/ must not include ui/")
        self.assertIn("kernels/ must not", only({"kernels/a.cpp": '#include "core/base/b.h"',
                                                 "core/base/b.h": ""}))
        self.assertIn("ui/ must not include app/", only({"ui/a.cpp": '#include "app/b.h"',
                                                         "app/b.h": ""}))

    def test_order_inside_core(self):
        self.assertIn("core/text must not include core/model",
                      only({"core/text/a.cpp": '#include "core/model/b.h"', "core/model/b.h": ""}))
        self.assertIn("core/model must not include core/engine",
                      only({"core/model/a.cpp": '#include "core/engine/b.h"', "core/engine/b.h": ""}))

    def test_values_are_seen_everywhere_and_the_composition_sees_masks(self):
        self.assertEqual(problems({
            "core/attention/a.h": '#include "core/engine/request.h"\n#include "core/memory/m.h"\n',
            "core/engine/request.h": "", "core/memory/m.h": '#include "core/base/b.h"\n',
            "core/base/b.h": "", "core/model/lens.h": '#include "core/mask/mask.h"\n',
            "core/mask/mask.h": ""}), [])
        self.assertIn("core/base must not include core/memory",
                      only({"core/base/a.h": '#include "core/memory/b.h"', "core/memory/b.h": ""}))

    def test_rings_are_refused(self):
        found = problems({"core/model/a.h": '#include "core/attention/b.h"',
                          "core/attention/b.h": '#include "core/model/a.h"'})
        self.assertEqual(len(found), 1)
        self.assertIn("includes itself", found[0])

    def test_unknown_folder_of_core_asks_for_an_entry(self):
        self.assertIn("core/misc: say in the table",
                      only({"core/misc/a.cpp": '#include "core/base/b.h"', "core/base/b.h": ""}))

    def test_relative_and_missing_files_are_refused(self):
        self.assertIn("from the root", only({"ui/a.cpp": '#include "b.h"', "ui/b.h": ""}))
        self.assertIn("from the root", only({"core/base/a.cpp": '#include "core/base/gone.h"'}))
        self.assertEqual(problems({"ui/a.cpp": '#include "a.moc"'}), [])


class Libraries(unittest.TestCase):
    def test_no_qt_in_core_kernels_and_command_line(self):
        for path in ("core/base/a.h", "kernels/a.h", "app/cli.cpp", "app/cli/main.cpp"):
            for header in ("QString", "QtCore/QString", "qcustomplot.h"):
                self.assertIn("Qt belongs to", only({path: f"#include <{header}>\n"}), (path, header))
        self.assertEqual(problems({"app/desktop/main.cpp": "#include <QApplication>\n"}), [])

    def test_no_torch_in_kernels(self):
        self.assertIn("pointers and shapes", only({"kernels/a.cu": "#include <ATen/ATen.h>\n"}))

    def test_no_torch_in_ui_not_even_by_way_of_core(self):
        self.assertIn("reaches torch/types.h", only({"ui/a.cpp": "#include <torch/types.h>\n"}))
        found = only({"ui/a.cpp": '#include "core/engine/b.h"\n',
                      "core/engine/b.h": '#include "core/mask/c.h"\n',
                      "core/mask/c.h": "#include <c10/core/Device.h>\n"})
        self.assertIn("ui/a.cpp -> core/engine/b.h -> core/mask/c.h -> c10/core/Device.h", found)

    def test_trainer_and_benchmarks_may_use_tensors(self):
        tensor = "#include <ATen/core/Tensor.h>\n"
        for path in ("app/train/main.cpp", "app/bench.cpp", "app/bench_attention.cpp"):
            self.assertEqual(problems({path: tensor}), [])
        self.assertIn("reaches", only({"app/cli.cpp": tensor}))

    def test_rings_of_includes_end(self):
        self.assertIn("includes itself",
                      only({"ui/a.h": '#include "ui/b.h"', "ui/b.h": '#include "ui/a.h"'}))


if __name__ == "__main__":
    unittest.main()
