"""A bundle as it is opened: its files, found by the locations that the metadata writes.

A bundle is a file from somebody else, so nothing in it is trusted: not a name in it says where a file is written, and
what it holds is checked before it is read. Its files lie in a folder of this process alone, and go with it.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import stat
import weakref
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from threading import Lock

from ...errors import ExplorerError, TableNotFound
from ...model import formats
from ...model.bundle.facts import Contents, Member, NoBundle
from ...model.iceberg.unreadable import Unreadable

MANIFEST = "bundle.json"
MOST_RATIO = 200
"""What is packed more tightly than this is refused: JSON of tables packs to a twentieth, and rarely to a fiftieth."""

_NAME = re.compile(r"(?:metadata|manifest-lists|manifests|footers)/[0-9]{1,9}(?:\.[a-z0-9]{2,8}){1,3}")
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1  # in the flags of a member
_MOST_MEMBERS, _MOST_BYTES, _MOST_BYTES_OF_MANIFEST = 2_000_000, 20_000_000_000, 1_000_000_000
_SMALL, _PIECE = 100_000, 1_000_000
_OPEN_AT_ONCE = 8  # bundles whose files this process keeps
_NOT_IN_IT = "It is not in the bundle."

_opened: dict[tuple[str, int, int], Bundle] = {}
_lock = Lock()


@dataclass(frozen=True, eq=False)
class Bundle:
    """A bundle that was opened.

    Attributes:
        contents: its manifest.
        key: tells it apart from every other.
    """

    contents: Contents
    key: str
    _folder: Path

    def place(self, location: str) -> str:
        """Where the file is that the metadata means; nothing is there if it is not in the bundle."""
        member = self._members.get(location)
        return str(self._folder / (member.name if member is not None else "not-in-the-bundle"))

    def unreadable(self, location: str) -> Unreadable | None:
        """Why a file is not in the bundle; None if it is."""
        if location in self._members:
            return None
        return self._unreadable.get(location) or Unreadable(location, "missing", _NOT_IN_IT)

    def read(self, locations: Sequence[str]) -> tuple[dict[str, bytes], dict[str, Unreadable]]:
        """The bytes of each file that is in it, and why each of the others is not."""
        missing = {location: why for location in locations if (why := self.unreadable(location)) is not None}
        return {one: Path(self.place(one)).read_bytes() for one in locations if one not in missing}, missing

    def modified_at_ms(self, location: str) -> int | None:
        """When the storage said that the file was written, epoch milliseconds; None where that is not known."""
        member = self._members.get(location)
        return None if member is None else member.modified_at_ms

    @cached_property
    def _members(self) -> dict[str, Member]:
        """Whole files by their locations: a footer is not the file that it is of."""
        return {member.location: member for member in self.contents.members if member.kind != "footer"}

    @cached_property
    def _unreadable(self) -> dict[str, Unreadable]:
        return {unreadable.path: unreadable for unreadable in self.contents.unreadable}


def opened(path: Path) -> Bundle:
    """Open a bundle; one that is open in this process and did not change is not unpacked again.

    Cost: all of it is unpacked, and checked against its manifest.

    Raises:
        TableNotFound: there is no such file.
        ExplorerError: it is no bundle, or holds what no bundle holds.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise TableNotFound(f"There is no bundle {path}.", found=f"{error.strerror}.") from error
    key = str(path.resolve()), found.st_mtime_ns, found.st_size
    with _lock:
        bundle = _opened[key] = _opened.pop(key) if key in _opened else _unpacked(path)
        while len(_opened) > _OPEN_AT_ONCE:
            del _opened[next(iter(_opened))]
        return bundle


def _unpacked(path: Path) -> Bundle:
    try:
        with zipfile.ZipFile(path) as archive:
            infos = _checked(path, archive.infolist())
            text = archive.read(infos[MANIFEST])
            contents = _contents(path, text, infos)
            folder = Path(mkdtemp(prefix="iceberg-bundle-"))
            try:
                for member in contents.members:
                    _unpack(path, archive, member, folder)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise _refused(path, f"It is no zip file that can be read, or is damaged or cut short: {error}.") from error
    except OSError as error:
        raise ExplorerError(f"The bundle {path} cannot be read.", found=f"{error.strerror or error}.") from error
    bundle = Bundle(contents, hashlib.sha256(text).hexdigest(), folder)
    weakref.finalize(bundle, shutil.rmtree, folder, ignore_errors=True)
    return bundle


def _checked(path: Path, infos: Sequence[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """The members by name, each of which may be one of a bundle."""
    if len(infos) > _MOST_MEMBERS:
        raise _refused(path, f"It has {len(infos):,} members.")
    for info in infos:
        if info.filename != MANIFEST and not _NAME.fullmatch(info.orig_filename):
            raise _refused(path, f"Its member {info.orig_filename[:200]!r} has a name that no file of a bundle has.")
        if info.flag_bits & _ENCRYPTED:
            raise _refused(path, f"Its member {info.filename} is encrypted.")
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            raise _refused(path, f"Its member {info.filename} is a link, or else no plain file.")
        if info.compress_type not in _PACKINGS:
            raise _refused(path, f"Its member {info.filename} is packed in a way that no bundle is.")
        if info.file_size > max(_SMALL, MOST_RATIO * info.compress_size):
            raise _refused(path, f"Its member {info.filename} would unpack to {formats.size(info.file_size)}.")
    by_name = {info.filename: info for info in infos}
    if len(by_name) < len(infos):
        raise _refused(path, "Two of its members have the same name.")
    if MANIFEST not in by_name:
        raise _refused(path, f"It is a zip file without {MANIFEST}.")
    if sum(info.compress_size for info in infos) > path.stat().st_size:
        raise _refused(path, "Its members lie over each other.")
    together = sum(info.file_size for info in infos)
    room = shutil.disk_usage(gettempdir()).free
    if together > min(_MOST_BYTES, room) or by_name[MANIFEST].file_size > _MOST_BYTES_OF_MANIFEST:
        limits = f"{formats.size(_MOST_BYTES)} are the most that are unpacked, and {formats.size(room)} are free here"
        raise _refused(path, f"It would unpack to {formats.size(together)}: {limits}.")
    return by_name


def _contents(path: Path, text: bytes, infos: dict[str, zipfile.ZipInfo]) -> Contents:
    try:
        contents = Contents.from_json(text)
    except NoBundle as error:
        raise _refused(path, str(error)) from error
    listed = {member.name: member.size_in_bytes for member in contents.members}
    there = {name: info.file_size for name, info in infos.items() if name != MANIFEST}
    whole = [member.location for member in contents.members if member.kind != "footer"]
    if len(listed) < len(contents.members) or len(set(whole)) < len(whole):
        raise _refused(path, f"Its {MANIFEST} names a file twice.")
    if listed != there:
        odd = sorted(name for name in listed.keys() | there.keys() if listed.get(name) != there.get(name))
        raise _refused(path, f"Its {MANIFEST} does not tell of the files that are there: {odd[0]}.")
    if contents.metadata_location not in whole:
        raise _refused(path, "The table's current metadata file is not in it.")
    return contents


def _unpack(path: Path, archive: zipfile.ZipFile, member: Member, folder: Path) -> None:
    place = folder / member.name
    place.parent.mkdir(exist_ok=True)
    digest, left = hashlib.sha256(), member.size_in_bytes
    with archive.open(member.name) as packed, place.open("xb") as unpacked:
        while piece := packed.read(_PIECE):
            left -= len(piece)
            if left < 0:
                break
            digest.update(piece)
            unpacked.write(piece)
    if left or digest.hexdigest() != member.sha256:
        raise _refused(path, f"Its member {member.name} is cut short, or is not what was put into it.")


def _refused(path: Path, found: str) -> ExplorerError:
    return ExplorerError(
        f"{path} is no bundle that can be opened.",
        found=found,
        next_step="Make one with `iceberg-explorer bundle TABLE -o NAME.iceberg.zip`, and send it again as it is.",
    )
