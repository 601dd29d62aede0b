"""A py-substrate-interface client whose node goes in the middle of a call. Prints a line for each step; argument: the node's URL."""

import sys

from substrateinterface import SubstrateInterface

substrate = SubstrateInterface(url=sys.argv[1])
print(substrate.chain, flush=True)
try:
    substrate.rpc_request("dev_newBlock", [{"count": 1000}])
    print("answered", flush=True)
except Exception as error:
    print(error, flush=True)
# Until the page is there again.
sys.stdin.readline()
# It reads the close of the former connection as an answer if it is not told.
substrate.connect_websocket()
print(substrate.rpc_request("system_chain", [])["result"], flush=True)
