"""Reading the terminal without dying of it: bytes that are not UTF-8, a terminal that goes away, pastes that look typed."""

from __future__ import annotations

import codecs
import os
import selectors

from textual import events
from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from screens.keys import MOST_AT_ONCE, NOT_UTF8

_AT_ONCE = 4096
_PASTE_BEGINS = "\x1b[200~"
_PASTE_ENDS = "\x1b[201~"


class KeysArrived(events.Event):
    """One read brought `count` keys, more than a person types; or it was `spoiled`: not UTF-8."""

    def __init__(self, count: int, *, spoiled: bool) -> None:
        super().__init__()
        self.count = count
        self.spoiled = spoiled


class TerminalGone(events.Event):
    """The terminal was closed under us."""


class TolerantDriver(LinuxDriver):
    """The Linux and macOS driver, with a reader that replaces what it cannot decode and stops when the terminal ends."""

    _paste: str | None = None

    def run_input_thread(self) -> None:
        """Read keys until told to stop. Runs in its own thread; whatever it finds goes to the app's queue in order."""
        parser = XTermParser(self._debug)
        decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(0.1):
                    try:
                        read = os.read(self.fileno, _AT_ONCE)
                    except OSError:
                        read = b""
                    if not read:
                        self.send_message(TerminalGone())
                        return
                    self._take(parser, decode(read))
                for event in parser.tick():
                    self.process_message(event)
        try:
            for _event in parser.feed(""):
                pass
        except (EOFError, ParseError):
            pass

    def _take(self, parser: XTermParser, text: str) -> None:
        """Hand over what was read. A bracketed paste is taken out first: the parser would lose the order of one that
        holds escape characters, and let parts of it through as keys."""
        while text:
            if self._paste is None:
                typed, begins, text = text.partition(_PASTE_BEGINS)
                self._keys(parser, typed)
                if begins:
                    self._paste = ""
            else:
                # The end mark may come in two reads.
                pasted, ends, text = (self._paste + text).partition(_PASTE_ENDS)
                self._paste = None if ends else pasted
                if ends:
                    self.process_message(events.Paste(pasted))

    def _keys(self, parser: XTermParser, text: str) -> None:
        if not text:  # to the parser nothing means the end
            return
        found = list(parser.feed(text))
        keys = sum(isinstance(event, events.Key) for event in found)
        if keys and (keys > MOST_AT_ONCE or NOT_UTF8 in text):
            self.send_message(KeysArrived(keys, spoiled=NOT_UTF8 in text))
        for event in found:
            self.process_message(event)
