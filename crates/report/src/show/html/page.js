"use strict";
(() => {
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const make = (tag, text = "", name = "") => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  // What would not be seen, or would turn the text around it, is shown as its number.
  const visible = (text) => String(text).replace(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (letter) => "⟨U+" + letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") + "⟩");

  // Tables sort by a column when its head is pressed.
  const number = (cell) => {
    const text = cell.dataset.value ?? cell.textContent;
    return text.trim() === "" || text.trim() === "-" ? NaN : parseFloat(text);
  };
  const sort = (table, head) => {
    const column = head.cellIndex, down = head.getAttribute("aria-sort") === "ascending";
    all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const figures = !head.classList.contains("t"), body = table.tBodies[0];
    const order = (one, other) => {
      const [a, b] = [one.cells[column], other.cells[column]];
      if (!figures) return a.textContent.localeCompare(b.textContent, "en") * (down ? -1 : 1);
      const [x, y] = [number(a), number(b)];
      if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
      return (x - y) * (down ? -1 : 1);
    };
    body.append(...Array.from(body.rows).sort(order));
  };
  all("table.data").forEach((table) => all("thead th", table).forEach((head) => {
    const button = make("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(table, head));
    head.append(button);
  }));

  // A table that is cut says so.
  const cut = (box) => {
    const right = box.scrollWidth > box.clientWidth + 1, down = box.scrollHeight > box.clientHeight + 1;
    const hint = box.previousElementSibling;
    hint.hidden = !right && !down;
    hint.textContent = "This table scrolls: there is more " + (right && down ? "to the right and below." : right ? "to the right." : "below.");
  };
  const sizes = new ResizeObserver((changes) => {
    const boxes = new Set(changes.map(({ target }) => target.closest(".scroll")));
    requestAnimationFrame(() => boxes.forEach(cut));
  });
  all(".scroll").forEach((box) => {
    const hint = make("p", "", "note hint");
    hint.hidden = true;
    box.before(hint);
    [box, box.firstElementChild].forEach((one) => sizes.observe(one));
  });

  // A bot is highlighted wherever it is named.
  let kept = null;
  const light = (bot) => all("[data-bot]").forEach((element) =>
    element.classList.toggle("hl", bot !== null && element.dataset.bot === bot));
  const named = (event) => event.target.closest?.("[data-bot]")?.dataset.bot ?? null;
  document.addEventListener("pointerover", (event) => light(named(event) ?? kept));
  document.addEventListener("focusin", (event) => light(named(event) ?? kept));
  const keep = (event) => {
    if (event.target.closest("button, a, summary")) return;
    const bot = named(event);
    if (bot === null) return;
    kept = kept === bot ? null : bot;
    all("[aria-pressed]").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.bot === kept)));
    light(kept);
  };
  document.addEventListener("click", keep);
  all("section[id$='-bots'] > .scroll tbody [data-bot] bdi").forEach((name) => {
    name.dataset.bot = name.parentElement.dataset.bot;
    name.tabIndex = 0;
    name.setAttribute("role", "button");
    name.setAttribute("aria-pressed", "false");
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      keep(event);
    });
  });

  // Deals.
  const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" }, RANKS = "AKQJT98765432";
  const tricks = (count) => count + (count === 1 ? " trick" : " tricks");
  // A word as a shell takes it.
  const quoted = (text) => /^[\w.,+:/-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
  const words = (text) => text ? text.split(" ") : [];
  const isCard = (text) => /^[2-9TJQKA][SHDC]$|^[BL]J$/.test(text);

  /** What lies where after each step, and who knows it. */
  const unfold = (data, game) => {
    const layout = data.layouts[game.layout], seats = data.shared.players, everybody = (1 << seats) - 1;
    const names = layout.hands.map((hand) => hand[0]), size = layout.circle.length;
    const plays = game.winners.length * size, before = game.moves.length - plays;
    const states = [];
    const cards = new Map(), calls = [];
    let contract = "";
    const won = new Map(layout.circle.map((hand) => [hand, 0]));
    let trick = [], last = null;
    const apply = (changes) => changes.forEach(([kind, ...rest]) => {
      if (kind === "at") words(rest[2]).forEach((card) => rest[0] === null ? cards.delete(card) : cards.set(card, { place: rest[0], seen: rest[1] }));
      if (kind === "call") calls[rest[0]].seen = rest[1];
      if (kind === "contract") contract = rest[0];
    });
    const keepState = (step) => states.push({
      cards: new Map(cards), calls: calls.map((call) => ({ ...call })), contract, won: new Map(won),
      trick: trick.slice(), last, next: game.moves[step] ?? null,
    });
    apply(layout.sight);
    keepState(0);
    game.moves.forEach(([seat, hand, text], index) => {
      if (index < before) {
        calls.push({ seat, text, seen: everybody });
        last = { kind: "call", index };
      } else {
        if (trick.length === size) trick = [];
        cards.delete(text);
        trick.push([names[hand], text]);
        last = { kind: "play", hand: names[hand], text };
        if (trick.length === size) {
          const winner = names[game.winners[(index - before + 1) / size - 1]];
          won.set(winner, won.get(winner) + 1);
          last.winner = winner;
        }
      }
      apply(game.sight[index + 1] ?? []);
      keepState(index + 1);
    });
    return { states, names, layout, seats };
  };

  const record = (data, game) => {
    const layout = data.layouts[game.layout], names = layout.hands.map((hand) => hand[0]);
    const size = layout.circle.length, first = game.moves.length - game.winners.length * size;
    const lay = (pairs) => Object.fromEntries(pairs.map(([name, cards]) => [name, words(cards)]));
    return JSON.stringify({
      ...data.shared, "totals-before": game.rest.scores.map(() => 0), "totals-after": game.rest.scores, ...game.rest, hands: lay(layout.hands), table: lay(layout.table),
      moves: game.moves.map(([seat, hand, move, legal, lost]) =>
        ({ seat, hand: names[hand], move, legal, ...(isNaN(lost) ? {} : { "given-away": lost }) })),
      tricks: game.winners.map((winner, trick) => ({
        plays: game.moves.slice(first + trick * size, first + (trick + 1) * size).map(([, hand, card]) => [names[hand], card]),
        winner: names[winner],
      })),
    });
  };

  const card = (text) => {
    const shown = make("span", text.length === 2 && SUITS[text[1]] ? text[0] + SUITS[text[1]] : text);
    shown.className = "s" + text[1];
    return shown;
  };
  const bySuit = (cards) => {
    const lines = Object.keys(SUITS).map((suit) => {
      const ranks = cards.filter((one) => one[1] === suit && !one.endsWith("J") || one === "J" + suit)
        .map((one) => one[0]).sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b));
      return ranks.length ? make("div", SUITS[suit] + " " + ranks.join(" "), "s" + suit) : null;
    });
    const jokers = cards.filter((one) => one === "BJ" || one === "LJ");
    if (jokers.length) lines.push(make("div", "jokers " + jokers.join(" ")));
    return lines.filter((line) => line);
  };

  const viewers = new Map();
  all("script.deal-data").forEach((source) => {
    const data = JSON.parse(source.textContent), article = source.closest("article");
    data.games.forEach((one) => {
      one.moves = one.moves.split("|").map((made, index) => {
        const [seat, hand, legal, ...text] = made.split(",");
        return [Number(seat), Number(hand), text.join(","), Number(legal), parseInt(one.lost?.[index] ?? "-", 36)];
      });
    });
    let game = 0, step = 0, eyes = -1, deal = unfold(data, data.games[0]);
    const viewer = make("div", "", "viewer");
    viewer.setAttribute("role", "group");
    viewer.setAttribute("aria-label", "Viewer of " + article.querySelector("h5").textContent + "; arrow keys, Home and End go through it");
    viewer.tabIndex = 0;
    const row = make("div", "", "bar-row"), buttons = {};
    const select = (label, options, chosen) => {
      const around = make("label", label + " "), list = make("select");
      options.forEach((text, value) => { const option = make("option", text); option.value = value; list.append(option); });
      list.addEventListener("change", () => chosen(Number(list.value)));
      around.append(list);
      row.append(around);
      return list;
    };
    const who = (hand) => {
      const seat = deal.names.indexOf(hand);
      const bots = data.games[game].rest.seating;
      return seat < bots.length ? hand + " " + visible(bots[seat]) : hand;
    };
    const games = select("game", data.games.map((one, index) =>
      (index + 1) + ": " + one.rest.seating.map(visible).join(", ") + (one.rest.match === undefined ? "" : ", deal " + one.rest.deal)), (value) => go(value, 0));
    const seen = select("seen by", ["everybody's cards"].concat(Array.from({ length: data.shared.players }, (_, seat) => "seat p" + seat)),
      (value) => { eyes = value - 1; show(); });
    const around = make("label"), four = make("input");
    four.type = "checkbox";
    four.addEventListener("change", () => {
      document.body.classList.toggle("four", four.checked);
      all(".viewer input").forEach((other) => { other.checked = four.checked; });
    });
    around.append(four, "four colours");
    row.append(around);
    const press = (name, label, act) => {
      const button = make("button", label);
      button.type = "button";
      button.dataset.act = name;
      button.addEventListener("click", act);
      buttons[name] = button;
      return button;
    };
    const steps = make("div", "", "bar-row"), place = make("span");
    steps.append(press("first", "« first", () => go(game, 0)), press("back", "‹ back", () => go(game, step - 1)),
      press("next", "next ›", () => go(game, step + 1)), press("last", "last »", () => go(game, Infinity)), place);
    const table = make("div", "", "table-top"), asides = make("div", "", "asides"), said = make("div", "", "said");
    said.setAttribute("aria-live", "polite");
    const told = make("ol", "", "story");
    told.setAttribute("aria-label", "Calls so far, and cards played");
    told.tabIndex = 0;
    const copies = make("div", "", "bar-row"), copied = make("span");
    copied.setAttribute("role", "status");
    const text = (kind) => {
      const one = data.games[game].rest;
      if (kind === "json") return record(data, data.games[game]);
      if (kind === "link") return location.href.split("#")[0] + "#" + anchor();
      return "overtrick replay config.toml --variant " + quoted(data.shared.variant) + " --deal " + (one.match ?? data.shared.deal) +
        " --lineup " + quoted(one.seating.join(",")) + (data.games[game].lost ? " --analyse" : "");
    };
    [["command", "copy as command"], ["json", "copy as JSON"], ["link", "copy link"]].slice(data.config ? 0 : 1).forEach(([kind, label]) => copies.append(press(kind, label, () => {
      const content = text(kind), fallback = () => {
        const area = make("textarea", content);
        viewer.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
      };
      viewer.dataset.copied = content;
      Promise.resolve(navigator.clipboard?.writeText(content) ?? fallback()).catch(fallback).then(() => { copied.textContent = "copied"; });
    })));
    copies.append(copied);
    const anchor = () => "deal=" + data.id + "," + (game + 1) + "," + step + (eyes < 0 ? "" : ",p" + eyes);

    const sees = (mask) => eyes < 0 || (mask >> eyes & 1) === 1;
    const cardsAt = (state, name) => {
      const here = Array.from(state.cards).filter(([, at]) => at.place === name);
      return { known: here.filter(([, at]) => sees(at.seen)).map(([text]) => text), hidden: here.filter(([, at]) => !sees(at.seen)).length };
    };
    const fill = (box, state, name, inOrder) => {
      const { known, hidden } = cardsAt(state, name);
      const list = make("div", "", "cards");
      if (inOrder) {
        const ranked = inOrder.filter((one) => known.includes(one));
        ranked.concat(known.filter((one) => !ranked.includes(one))).forEach((one) => list.append(card(one), " "));
      } else list.append(...bySuit(known));
      if (hidden) list.append(make("div", hidden + (hidden === 1 ? " card" : " cards") + " face down", "hidden-cards"));
      box.append(list);
      return known.length + hidden;
    };
    // What a play gave away shows where all cards are shown: elsewhere it would tell of cards that a seat did not see.
    const lost = (move) => eyes < 0 && move[4] ? "; gives away " + tricks(move[4]) : "";
    const callText = (call) => sees(call.seen) ? call.text : "a choice that only they know";
    const show = () => {
      const state = deal.states[step], circle = deal.layout.circle, most = deal.states.length - 1;
      const one = data.games[game];
      const sides = { 2: "sn", 3: "swe", 4: "swne" }[circle.length] ?? "swne";
      table.replaceChildren();
      deal.names.forEach((name) => {
        const side = sides[circle.indexOf(name)];
        const box = make("div", "", "hand" + (side ? " hand-" + side : ""));
        const turn = state.next && deal.names[state.next[1]] === name;
        box.classList.toggle("turn", Boolean(turn));
        const deals = deal.names.indexOf(name) === one.rest.dealer ? " (dealer)" : "";
        box.append(make("div", who(name) + deals + (turn ? " ●" : ""), "who"));
        const count = fill(box, state, name, null);
        if (state.won.has(name)) box.append(make("div", "tricks " + state.won.get(name), "hidden-cards"));
        if (side || count) table.append(box);
      });
      const middle = make("div", "", "middle");
      state.trick.forEach(([hand, text]) => { const line = make("div", hand + " "); line.append(card(text)); middle.append(line); });
      table.append(middle);
      asides.replaceChildren();
      const orders = new Map(deal.layout.table.map(([name, cards]) => [name, words(cards)]));
      new Set(Array.from(state.cards.values()).map((at) => at.place).filter((name) => !deal.names.includes(name))).forEach((name) => {
        const box = make("div", name + ": ");
        fill(box, state, name, orders.get(name) ?? []);
        asides.append(box);
      });
      deal.layout.remarks.forEach((remark) => asides.append(make("div", remark)));
      if (state.contract) asides.append(make("div", "contract: " + state.contract));
      if (one.lost && eyes < 0) {
        const given = one.rest.seating.map((_, seat) => "p" + seat + " " +
          one.moves.slice(0, step).reduce((sum, move) => sum + (move[0] === seat && move[4] || 0), 0));
        asides.append(make("div", "tricks given away so far: " + given.join(", "), "given"));
      }
      const { last } = state;
      let line = step === 0 ? "The cards are dealt." : "";
      if (last?.kind === "call") line = who(deal.names[state.calls[last.index].seat]) + ": " + callText(state.calls[last.index]);
      if (last?.kind === "play") line = who(last.hand) + " plays " + last.text + lost(one.moves[step - 1]) + (last.winner ? "; the trick goes to " + who(last.winner) : "");
      if (step === most) {
        line += ". The deal is over: " + one.rest.seating.map((bot, seat) => visible(bot) + " " + one.rest.scores[seat]).join(", ") + ".";
      }
      said.textContent = line;
      told.replaceChildren(...one.moves.slice(0, step).map(([seat, hand, text], index) => {
        const call = state.calls[index], item = make("li", (call ? deal.names[seat] : deal.names[hand]) + " " + (call ? callText(call) : text) + lost(one.moves[index]));
        item.classList.toggle("lost", lost(one.moves[index]) !== "");
        item.classList.toggle("now", index === step - 1);
        return item;
      }));
      told.scrollTop = told.scrollHeight;
      place.textContent = "step " + step + " of " + most;
      const focused = document.activeElement;
      buttons.first.disabled = buttons.back.disabled = step === 0;
      buttons.next.disabled = buttons.last.disabled = step === most;
      if (focused?.disabled) viewer.focus();
      [games.value, seen.value] = [String(game), String(eyes + 1)];
      copied.textContent = "";
      viewer.dataset.step = step;
    };
    const go = (toGame, toStep, silent) => {
      if (toGame !== game) deal = unfold(data, data.games[toGame]);
      game = toGame;
      step = Math.max(0, Math.min(toStep, deal.states.length - 1));
      show();
      if (!silent) history.replaceState(null, "", "#" + anchor());
    };
    viewer.addEventListener("keydown", (event) => {
      if (event.target.tagName === "SELECT" || event.altKey || event.ctrlKey || event.metaKey) return;
      const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: Infinity }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      go(game, to);
    });
    viewer.append(row, steps, table, asides, said, told, copies);
    source.after(viewer);
    show();
    viewers.set(data.id, (toGame, toStep, seat) => {
      eyes = seat;
      go(Math.max(0, Math.min(toGame, data.games.length - 1)), toStep, true);
      article.scrollIntoView();
      viewer.focus({ preventScroll: true });
    });
  });

  // A link leads to a position.
  const follow = () => {
    const found = /^#deal=([^,]+),(\d+),(\d+)(?:,p(\d))?$/.exec(location.hash);
    if (found) viewers.get(found[1])?.(Number(found[2]) - 1, Number(found[3]), found[4] === undefined ? -1 : Number(found[4]));
  };
  window.addEventListener("hashchange", follow);
  follow();
})();
