"""Cameras that speak RTSP: `python3 rtsp-server.py PORT FILM`, for the user viewer with the password top-secret.

/mjpeg sends a test picture, /h264 the MP4 file FILM until its end.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

Gst.init(None)
port, film = sys.argv[1:]
server = GstRtspServer.RTSPServer(address="127.0.0.1", service=port)

auth = GstRtspServer.RTSPAuth()
token = GstRtspServer.RTSPToken()
token.set_string("media.factory.role", "viewer")
auth.add_basic(GstRtspServer.RTSPAuth.make_basic("viewer", "top-secret"), token)
server.set_auth(auth)

picture = "videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=10/1"
pipelines = {
    "/mjpeg": f"( {picture} ! jpegenc ! rtpjpegpay name=pay0 pt=26 )",
    "/h264": f"( filesrc location={film} ! qtdemux ! h264parse ! rtph264pay name=pay0 config-interval=1 pt=96 )",
}
for path, pipeline in pipelines.items():
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(pipeline)
    factory.set_shared(True)
    rights = Gst.Structure.new_empty("viewer")
    rights.set_value("media.factory.access", True)
    rights.set_value("media.factory.construct", True)
    factory.add_role_from_structure(rights)
    server.get_mount_points().add_factory(path, factory)

server.attach(None)
print("ready", flush=True)
GLib.MainLoop().run()
