#!/usr/bin/python3
"""Windows for WebKitWebDriver. WebKit's own test browser cannot be as narrow as a phone.

Arguments: the color scheme, and a script that runs before those of each page.
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2

scheme, script = sys.argv[1:]
Gtk.Settings.get_default().set_property("gtk-application-prefer-dark-theme", scheme == "dark")
# Pages are told to reduce motion.
Gtk.Settings.get_default().set_property("gtk-enable-animations", False)
context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)


def open_window(_session):
    content = WebKit2.UserContentManager()
    content.add_script(
        WebKit2.UserScript.new(
            script,
            WebKit2.UserContentInjectedFrames.TOP_FRAME,
            WebKit2.UserScriptInjectionTime.START,
            None,
            None,
        )
    )
    view = WebKit2.WebView(
        web_context=context, user_content_manager=content, is_controlled_by_automation=True
    )
    view.get_settings().set_enable_write_console_messages_to_stdout(True)
    # The back/forward cache, which tests of other engines turn on, too.
    view.get_settings().set_enable_page_cache(True)
    window = Gtk.Window()
    window.add(view)
    view.connect("close", lambda _: window.destroy())
    window.show_all()
    return view


context.connect(
    "automation-started",
    lambda _, session: session.connect("create-web-view", open_window),
)
Gtk.main()
