# SPDX-License-Identifier: GPL-2.0-or-later
"""A page in headless Chromium, over the pipe of its DevTools protocol."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """The program, or None."""
    return shutil.which(os.environ.get("CHROMIUM", "chromium"))


class Browser:
    """One tab. @requests: addresses that the page asked for; @errors: what the console has."""

    def __init__(self):
        self.home = tempfile.mkdtemp()
        to_them, self.out = os.pipe()
        self.inp, from_them = os.pipe()

        def pass_pipes():
            # each may already be at the number that the other has to have
            ends = [os.dup2(fd, 100 + i) for i, fd in enumerate((to_them, from_them))]
            for i, fd in enumerate(ends):
                os.dup2(fd, 3 + i, inheritable=True)
        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--user-data-dir=" + self.home, "--remote-debugging-pipe", "about:blank"],
            preexec_fn=pass_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_them)
        os.close(from_them)
        self.buffer, self.number, self.session = b"", 0, None
        self.requests, self.errors, self.loaded = [], [], False
        target = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"][0]
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def receive(self, seconds):
        """The next message, or None."""
        while b"\0" not in self.buffer:
            if not select.select([self.inp], [], [], seconds)[0]:
                return None
            piece = os.read(self.inp, 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        self.note(message.get("method"), message.get("params"))
        return message

    def note(self, method, params):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(str(params["exceptionDetails"]))
        elif method in ("Log.entryAdded", "Runtime.consoleAPICalled"):
            self.errors.append(str(params))

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(60)
            if not answer:
                raise RuntimeError("%s: no answer" % method)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]

    def open(self, path):
        """Seconds until it is loaded."""
        start, self.loaded = time.monotonic(), False
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not self.loaded:
            if not self.receive(60):
                raise RuntimeError("%s does not load" % path)
        return time.monotonic() - start

    def run(self, expression):
        """What a JavaScript expression gives."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError("%s: %s" % (expression, result["exceptionDetails"]))
        return result["result"].get("value")

    def media(self, width, height=900, dark=False, media=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def click(self, selector):
        """A click of the mouse in the middle of the element."""
        x, y = self.run("(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});"
                        "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()" %
                        json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key, text=""):
        code = {"Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                      text=text if kind == "keyDown" else "")

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))
