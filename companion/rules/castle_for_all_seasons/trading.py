"""The trader: a helper beside a cart or the rider, and who may be displaced."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_for_all_seasons.actions import PostHelper, PostNobody, RecallHelper
from companion.rules.castle_for_all_seasons.execution import next_task, to_post
from companion.rules.castle_for_all_seasons.state import KINDS, Post, Stage, State
from companion.rules.castle_for_all_seasons.supply import cart_name, pick_up, take_home


def on_turn(state: State, seat: int, stage: Stage) -> bool:
    """Whether a seat is executing a card at a stage."""
    return state.turn is not None and (state.turn.seat, state.turn.stage) == (seat, stage)


def recall_helper(referee: Referee, state: State, action: RecallHelper) -> State:
    """The helper who goes home because the village tavern was not paid."""
    if not on_turn(state, action.seat, "recall"):
        referee.impossible("winter.tavern-toll", f"{state.seats[action.seat]} has no helper to take back now.")
    if action.cart not in state.posts or state.posts[action.cart].seat != action.seat:
        referee.impossible("helper.have", f"{state.seats[action.seat]} has no helper at {cart_name(action.cart)}.")
    text = f"{state.seats[action.seat]}'s helper at {cart_name(action.cart)} goes home."
    referee.note(text, seat=action.seat, rule="winter.tavern-toll")
    state = to_post(referee, take_home(state, action.cart))
    return state if state.turn else next_task(referee, state)


def post_helper(referee: Referee, state: State, action: PostHelper) -> State:
    """Place a helper beside a cart or the rider, displacing an opponent's where that is allowed."""
    seat, cart = action.seat, action.cart
    if not on_turn(state, seat, "post"):
        referee.refuse("turn.order", f"{state.seats[seat]} is not executing a trader now.")
    if action.source not in ("stock", "innkeeper"):
        referee.refuse("ruling.trader-from-stock", "A trader's helper comes from the own stock or the village tavern.")
    _check_cart(referee, state, action)
    if cart in state.posts:
        owner = state.posts[cart].seat
        state = take_home(state, cart)
        text = f"{state.seats[owner]}'s helper at {cart_name(cart)} is displaced and goes home."
        referee.note(text, seat=owner, rule="trader.displace")
    source = "stock" if action.source == cart else action.source
    state = pick_up(referee, state, seat, source)
    referee.note(f"{state.seats[seat]} places a helper at {cart_name(cart)}.", seat=seat, rule="trader.place")
    mine = on_turn(state, seat, "post")
    state = replace(state, posts={**state.posts, cart: Post(seat=seat, round=state.round)})
    return next_task(referee, state) if mine else state


def _check_cart(referee: Referee, state: State, action: PostHelper) -> None:
    full = all(kind in state.posts for kind in KINDS)
    post = state.posts.get(action.cart)
    where = cart_name(action.cart)
    if post is None:
        if action.cart == "silver" and not full:
            referee.refuse("trader.rider", "The rider gets a helper only after each cart has one.")
    elif post.seat == action.seat:
        referee.refuse("trader.displace", f"The helper at {where} is {state.seats[action.seat]}'s own.")
    elif post.round == state.round:
        referee.refuse("trader.same-round", f"The helper at {where} was placed this round.")
    elif not full:
        referee.refuse("trader.displace", f"The helper at {where} stays: not all carts have a helper.")


def post_nobody(referee: Referee, state: State, action: PostNobody) -> State:
    """The trader places no helper (ruling.trader-may-pass)."""
    if not on_turn(state, action.seat, "post"):
        referee.impossible("turn.order", f"{state.seats[action.seat]} is not executing a trader now.")
    return next_task(referee, state)


HANDLERS: Handlers[State] = {RecallHelper: recall_helper, PostHelper: post_helper, PostNobody: post_nobody}
