"""Sends image files to a station and prints each verdict.

    KENSA_URL=http://127.0.0.1:8080 KENSA_CLIENT_ID=... KENSA_CLIENT_SECRET=... \
        python3 inspect_folder.py STATION_ID image1.jpg image2.jpg
"""
import os
import sys

import requests

url = os.environ.get("KENSA_URL", "http://127.0.0.1:8080")


def log_in():
    answer = requests.post(
        f"{url}/api/auth/token",
        json={
            "grant_type": "client_credentials",
            "client_id": os.environ["KENSA_CLIENT_ID"],
            "client_secret": os.environ["KENSA_CLIENT_SECRET"],
        },
        timeout=10,
    )
    answer.raise_for_status()
    return answer.json()["access_token"]


def inspect(session, station_id, path):
    with open(path, "rb") as image:
        answer = session.post(
            f"{url}/api/v1/stations/{station_id}/inspect",
            params={"timeout_ms": 10000},
            files={"files": (os.path.basename(path), image)},
            timeout=30,
        )
    if answer.status_code == 200:
        verdict = answer.json()["data"]["assessments"][0]
        return f"{verdict['result']} {verdict['anomaly_score']}"
    if answer.status_code == 202:
        return f"later: item {answer.json()['data']['item_id']}"
    # Every error says what to do. Without a verdict a product is not good.
    return f"FAULT {answer.json()['errors']['detail']}"


def main():
    station_id, *paths = sys.argv[1:]
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {log_in()}"
        for path in paths:
            print(path, inspect(session, station_id, path), flush=True)


if __name__ == "__main__":
    main()
