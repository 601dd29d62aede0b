"""A py-substrate-interface client: query, compose, submit, watch events. Prints one JSON object; argument: the node's URL."""

import json
import sys

from substrateinterface import Keypair, SubstrateInterface

url = sys.argv[1]
substrate = SubstrateInterface(url=url)
alice = Keypair.create_from_uri("//Alice")
bob = Keypair.create_from_uri("//Bob")


def free(account):
    return substrate.query("System", "Account", [account.ss58_address]).value["data"]["free"]


before = free(bob)
call = substrate.compose_call(
    call_module="Balances",
    call_function="transfer_keep_alive",
    call_params={"dest": bob.ss58_address, "value": 10**12},
)
fee = substrate.get_payment_info(call=call, keypair=alice)["partialFee"]
extrinsic = substrate.create_signed_extrinsic(call=call, keypair=alice)
receipt = substrate.submit_extrinsic(extrinsic, wait_for_finalization=True)

seen = []


def on_events(events, update_nr, subscription_id):
    """Ends with what it returns: the events of the best block, then those of the next one."""
    seen.append(len(events.value))
    if update_nr == 0:
        remark = substrate.compose_call("System", "remark_with_event", {"remark": "0x0102"})
        substrate.submit_extrinsic(substrate.create_signed_extrinsic(call=remark, keypair=alice))
        return None
    return [event["event"]["event_id"] for event in events.value]


watched = substrate.query("System", "Events", subscription_handler=on_events)

print(
    json.dumps(
        {
            "chain": substrate.chain,
            "name": substrate.name,
            "runtime": substrate.runtime_version,
            "success": receipt.is_success,
            "fee": fee,
            "paid": receipt.total_fee_amount,
            "received": free(bob) - before,
            "events": [event.value["event"]["event_id"] for event in receipt.triggered_events],
            "watched": watched,
            "head": substrate.get_block_number(substrate.get_chain_finalised_head()),
            "methods": len(substrate.rpc_request("rpc_methods", [])["result"]["methods"]),
        }
    )
)
