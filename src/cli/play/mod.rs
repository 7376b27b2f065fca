//! `overtrick play`.

mod ink;
mod person;
mod scene;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::isolation::{SandboxArgs, say_shortfall};
use super::{Ended, arguments, help, print, programs, rules};
use crate::cards::select::Portable;
use crate::game::{Game, Move, Moves, Standing, View};
use crate::games::{OpenGame, Variant};
use crate::ids::BotId;
use crate::report::{OutputFolder, record_json};
use crate::strategies::process::ProcessPool;
use crate::strategies::{Bot, BuildContext};
use crate::strategy::Strategy;
use crate::strategy::pick;
use crate::table::{BySeat, Seat};
use crate::toml_source::InputError;
use crate::tournament::{DealRecord, Heading, Recording, Seeds, Unit, isolation_of};
use ink::Ink;
use person::{Person, Said};
use scene::Scene;

/// Play a deal yourself against bots.
///
/// You see what your seat sees, and you are asked for your moves. Type the number of a move or its text, or
/// one of these words. If the rules forbid a move, you see why.
///
/// - `?` shows the table again
///
/// - `rules` shows the rules of the game
///
/// - `quit` leaves
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("A deal against two bots of the same kind", "play dumbo"),
    ("Two different bots, and the deal kept in a file", "play dumbo --with rule-based,pimc-20 --record deal.jsonl"),
]))]
pub struct Args {
    /// The variant, by name or as a .toml file.
    ///
    /// `overtrick list variants` lists the names.
    variant: String,
    /// Play against these bots, by name or as .toml files.
    ///
    /// They sit at the other seats in order. Separate them by commas. One bot alone takes all seats.
    #[arg(long, help_heading = help::PLAYED, value_name = "BOTS", value_delimiter = ',', default_value = "rule-based")]
    with: Vec<String>,
    /// Deal from this master seed, in place of another one each time.
    #[arg(long, help_heading = help::PLAYED, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Begin with the deal of this number.
    #[arg(long, help_heading = help::PLAYED, value_name = "NUMBER", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u64).range(..1 << 40))]
    deal: u64,
    /// Play this number of deals.
    #[arg(long, help_heading = help::PLAYED, default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    deals: u64,
    /// Sit at this seat, 0 to 2.
    ///
    /// The default is the seat after the dealer of the first deal.
    #[arg(long, help_heading = help::PLAYED)]
    seat: Option<usize>,
    /// Write the finished deals to this file, for `replay --record`.
    ///
    /// It has a line of JSON for each deal.
    #[arg(long, help_heading = help::RESULTS, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace the file of --record if it exists.
    #[arg(long, help_heading = help::RESULTS, requires = "record")]
    force: bool,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

/// The name of a person in records.
const PERSON: &str = "person";

pub fn play(args: &Args) -> Result<Ended, InputError> {
    let variant = Variant::named(&args.variant)?;
    let seats = variant.game.layout().seats;
    if args.seat.is_some_and(|seat| seat >= seats) {
        return Err(arguments::in_option("--seat", format!("{} has seats 0 to {}", variant.name, seats - 1)));
    }
    let mut bots = bots(&args.with, &variant)?;
    programs::settle(&mut bots, true, |_, problem| arguments::in_option("--with", problem))?.require_unchanged()?;
    let claim = |file: &Path| OutputFolder::claim_file(file, "--record", args.force);
    let out = args.record.as_deref().map(claim).transpose()?;
    let person = Person::sit()?;
    let seed = args.seed.unwrap_or_else(any_seed);
    let (variant, game) = variant.erased();
    let playing = Playing { args, variant: &variant, bots: &bots, seed, person: &person, records: Vec::new() };
    let (records, left) = playing.play(&game);
    say_shortfall(isolation_of(&bots), false);
    if !records.is_empty()
        && let Some((folder, name)) = out
    {
        let lines: String = records.iter().map(|record| record_json(record) + "\n").collect();
        folder.write(&[(&name, lines.into_bytes())])?;
    } else if args.record.is_some() {
        tell!("note: no deal was played to its end, so no record is written");
    }
    Ok(if left == Some(LeaveReason::Interrupted) { Ended::Interrupted } else { Ended::Done })
}

/// Returns the bots at the seats other than the person's.
fn bots(names: &[String], variant: &Variant) -> Result<Vec<Bot>, InputError> {
    let others = variant.game.layout().seats - 1;
    if names.len() != 1 && names.len() != others {
        let problem = format!("names {} bots, but {} seats {others} in addition to you", names.len(), variant.name);
        return Err(arguments::in_option("--with", problem));
    }
    let name = |number: usize| &names[number.min(names.len() - 1)];
    (0..others).map(|number| arguments::bot(Some("--with"), name(number), variant)).collect()
}

/// Returns a seed that is short enough to type.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() / 1000 % 1_000_000) as u64
}

/// The reason why the person left before the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeaveReason {
    /// They quit, or the input ended.
    Quit,
    /// They pressed Ctrl-C.
    Interrupted,
}

/// A series of deals.
struct Playing<'a> {
    args: &'a Args,
    variant: &'a Variant,
    bots: &'a [Bot],
    seed: u64,
    person: &'a Person,
    records: Vec<DealRecord>,
}

/// The strategies by seat; none for the person.
type Others = Vec<Option<Box<dyn Strategy<OpenGame>>>>;

impl Playing<'_> {
    /// Plays the deals and returns the records of the finished ones.
    fn play(mut self, game: &OpenGame) -> (Vec<DealRecord>, Option<LeaveReason>) {
        let standing = Standing::default();
        let (seats, name) = (game.layout().seats, &self.variant.name);
        let seeds = Seeds::new(self.seed, name, game, Unit::Deal);
        let after_dealer = || seeds.setup(game, self.args.deal, &standing).dealer.left(1, seats);
        let own = self.args.seat.map_or_else(after_dealer, Seat::new);
        let bots = self.bots;
        let mut seating: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
        seating.insert(own.index(), PERSON.to_owned());
        let mut others: Others = bots.iter().map(|bot| Some(self.strategy(bot))).collect();
        others.insert(own.index(), None);
        print("`?` shows the table again, `rules` the rules of the game, and `quit` leaves\n");
        let mut totals = vec![0; seats];
        for number in self.args.deal..self.args.deal + self.args.deals {
            let recording = Recording::new(game, &seeds, number, &standing);
            let heading = Heading { variant: name, luck: self.seed.into(), seating: &seating };
            let record = match self.deal(recording, &seeds, heading, own, &mut others) {
                Ok(record) => record,
                Err(left) => return (self.records, Some(left)),
            };
            totals.iter_mut().zip(&record.scores).for_each(|(total, score)| *total += score);
            self.records.push(record);
            if self.args.deals > 1 {
                let total = |(player, total): (&String, &i32)| format!("{player} {total}");
                let all: Vec<String> = seating.iter().zip(&totals).map(total).collect();
                print(&format!("  total after {} deals: {}\n\n", self.records.len(), all.join(", ")));
            }
        }
        (self.records, None)
    }

    fn strategy(&self, bot: &Bot) -> Box<dyn Strategy<OpenGame>> {
        let stop = self.person.interrupted();
        let pool = bot.spec.process().map(|params| Arc::new(ProcessPool::new(params, 1, None, Arc::clone(stop))));
        let context = BuildContext { process_pool: pool, ..BuildContext::of(self.variant) };
        bot.spec.build(&context).expect("every bot was checked to play the variant")
    }

    fn deal(
        &self,
        mut recording: Recording<'_, OpenGame>,
        seeds: &Seeds,
        heading: Heading<'_>,
        own: Seat,
        others: &mut Others,
    ) -> Result<DealRecord, LeaveReason> {
        let number = recording.id();
        let mut streams = seeds.streams(number);
        let key = seeds.deal_key(number, &Standing::default(), BySeat::from_fn(|seat: Seat| BotId::new(seat.index())));
        let mut faults = Vec::new();
        let mut scene = Scene::new(heading.seating, Ink::current());
        print(&scene.title(&recording.view(own), heading.variant, number, self.seed));
        for (seat, strategy) in Seat::ALL.into_iter().zip(others.iter_mut()) {
            strategy.iter_mut().for_each(|strategy| recording.begins(seat, strategy.as_mut(), key));
        }
        while !recording.is_over() {
            let (seat, legal) = recording.question();
            let view = recording.view(seat);
            let chosen = match &mut others[seat.index()] {
                None => self.ask(&scene, &view, legal)?,
                Some(strategy) => strategy.try_choose(&view, legal, &mut streams[seat]).unwrap_or_else(|fault| {
                    print(&format!("  fault of p{}: {fault}. A random move is made for it\n", seat.index()));
                    faults.push((seat, fault.to_string()));
                    pick(legal, &mut streams[seat], Portable)
                }),
            };
            if self.person.has_interrupted() {
                return Err(self.leave(LeaveReason::Interrupted));
            }
            recording.make(chosen, None).expect("strategies choose legal moves, and those of the person are checked");
            print(&scene.news(&recording.view(own)));
        }
        for (seat, strategy) in Seat::ALL.into_iter().zip(others.iter_mut()) {
            strategy.iter_mut().for_each(|strategy| recording.ends(seat, strategy.as_mut(), key));
        }
        let (record, ..) = recording.finish(heading, faults, BySeat::default());
        print(&scene.scores(&record));
        Ok(record)
    }

    /// Asks the person for a move until they name a valid one.
    fn ask(&self, scene: &Scene<'_>, view: &View<'_, OpenGame>, legal: Moves) -> Result<Move, LeaveReason> {
        print(&scene.question(view, legal));
        loop {
            print(&scene.prompt(view));
            let line = match self.person.listen() {
                Said::Line(line) => line,
                Said::End => return Err(self.leave(LeaveReason::Quit)),
                Said::Interrupt => return Err(self.leave(LeaveReason::Interrupted)),
            };
            match line.as_str() {
                "quit" | "q" => return Err(self.leave(LeaveReason::Quit)),
                "?" => print(&scene.question(view, legal)),
                "rules" => match rules::page(self.variant) {
                    Ok(page) => print(&page),
                    Err(error) => print(&format!("{error}\n")),
                },
                text => match chosen(view, legal, text) {
                    Ok(chosen) => return Ok(chosen),
                    Err(problem) => print(&format!("{problem}\n")),
                },
            }
        }
    }

    fn leave(&self, how: LeaveReason) -> LeaveReason {
        print("\nyou left before the deal was over\n");
        how
    }
}

/// Returns the move that a person names, by its number among the legal moves or by its text.
fn chosen(view: &View<'_, OpenGame>, legal: Moves, text: &str) -> Result<Move, String> {
    let hint = || format!("type a number from 1 to {}, or the text of a move", legal.len());
    if let Ok(number) = text.parse::<usize>() {
        let nth = number.checked_sub(1).and_then(|nth| scene::in_order(legal).nth(nth));
        return nth.ok_or_else(|| format!("there is no move {number}: {}", hint()));
    }
    let same = |made: &Move| view.move_text(*made).is_some_and(|own| own.eq_ignore_ascii_case(text));
    match Move::all().find(same) {
        Some(made) if legal.contains(made) || view.renege_moves().contains(made) => Ok(made),
        Some(made) => Err(view.why_not(made).to_string()),
        None if text.is_empty() => Err(hint()),
        None => Err(format!("{text:?} is no move: {}", hint())),
    }
}
