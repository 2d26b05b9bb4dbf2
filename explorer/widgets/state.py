"""What all views share. Callbacks write it, in three lines each; views observe it."""

from __future__ import annotations

from traitlets import HasTraits, Instance, Int, Unicode

from ..figures.page.sheet import LEAST_WIDTH
from ..figures.page.theme import DARK, LIGHT, Theme

_PANEL, _LEAST_PANEL = 312, 240  # what stands beside a picture, as wide as it is left room for: the style says so too
_DOCKED = 660  # what a picture has beside a panel; in a narrower place that is below it
WIDE = _LEAST_PANEL + _DOCKED
"""From this width on the panel stands beside the picture, else below it."""

SELECTED = ["snapshot", "compared", "file", "delete", "partition", "window", "condition", "check", "key"]
"""What a person selects, or narrows the pictures to, by the names of the state's traits."""


class ExplorerState(HasTraits):
    """One person's attention on one table. Ids are text: a snapshot id does not fit a JavaScript number."""

    snapshot = Unicode("")
    """Selected snapshot id; empty if none."""

    compared = Unicode("")
    """Snapshot to compare the selected one with; empty if none, never equal to `snapshot`."""

    told = Instance(tuple, ())
    """Ids of the snapshots that Compare tells as A and as B: swapped, or with a point that was typed; empty if none."""

    file = Unicode("")
    """Selected data or delete file: its location, for a deletion vector followed by `·offset`; empty if none."""

    delete = Unicode("")
    """Selected delete, named as a file is, whose reach is shown; with `file` a pair. Empty if none."""

    partition = Instance(tuple, allow_none=True)
    """Spec id and partition (`region=EU`) that lists and pictures are narrowed to; None for all."""

    window = Instance(tuple, allow_none=True)
    """The oldest and the newest commit that lists and pictures are narrowed to, snapshot ids; None for all."""

    key = Unicode("")
    """Columns that tell rows apart (`region, id`), for every view; empty for those that the schema names."""

    condition = Unicode("")
    """The rows whose lives are told: SQL over the table's columns, as after WHERE; empty for none."""

    statement = Unicode("")
    """The statement whose answer changed: one SELECT over `{t}`; empty for none."""

    call = Unicode("")
    """The call of a procedure of which is asked what it would do; empty for none."""

    check = Unicode("")
    """Name of the signature of what goes wrong whose finding is opened; empty for none."""

    proof = Unicode("")
    """Name of the check that a person has asked, at its price; Health takes it up and then empties this."""

    sought = Unicode("")
    """Id of a snapshot that a person searched for, which History brings into view and then empties this."""

    cleared = Int(0)
    """How often everything was cleared: fields of a view's own, that narrow it down, are emptied then."""

    front = Unicode("")
    """Name of the picture that a view asks to be shown; the explorer shows it and empties this."""

    theme = Unicode("light")
    """`light` or `dark`, as the page around the explorer is."""

    width = Int(1100)
    """Width of the explorer on the screen in CSS pixels."""

    @property
    def colours(self) -> Theme:
        """The palette for `theme`."""
        return DARK if self.theme == "dark" else LIGHT

    @property
    def figure_width(self) -> int:
        """Width that a picture has, pixels."""
        if self.width < WIDE:
            return max(self.width, LEAST_WIDTH)
        return max(self.width - _PANEL, _DOCKED)

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns of `key`, one by one; empty for those that the schema names."""
        return tuple(name.strip() for name in self.key.split(",") if name.strip())

    @property
    def has_selection(self) -> bool:
        """Whether a person chose anything in a picture that a panel tells of; a condition asks for a picture."""
        chosen = self.snapshot, self.file, self.delete, self.partition, self.window, self.check
        return any(chosen)

    def follow(self, *, dark: bool, width: int) -> None:
        """Take on the theme of the page around, and the explorer's width in pixels; 0 while it is not shown."""
        with self.hold_trait_notifications():
            self.theme = "dark" if dark else "light"
            if width:
                self.width = width

    def select(self, snapshot: str) -> None:
        """Select a snapshot, or none if it is selected already."""
        self.snapshot = "" if snapshot == self.snapshot else snapshot
        if self.compared == self.snapshot:
            self.compared = ""

    def compare(self, snapshot: str) -> None:
        """Compare with a snapshot, or stop comparing with it; without a selection it becomes the selection."""
        if not self.snapshot:
            self.snapshot = snapshot
        elif snapshot != self.snapshot:
            self.compared = "" if snapshot == self.compared else snapshot

    def select_file(self, file: str) -> None:
        """Select a file, or none if it is selected already."""
        self.file = "" if file == self.file else file

    def clear(self) -> None:
        """Select nothing, and narrow nothing down."""
        with self.hold_trait_notifications():
            self.snapshot = self.compared = self.file = self.delete = self.condition = self.check = self.key = ""
            self.partition = self.window = None
            self.cleared += 1
