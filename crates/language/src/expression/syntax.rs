//! The form of an expression, without the meaning of its names.

use super::ExpressionError;
use super::token::{Token, TokenKind, tokens};

/// The deepest nesting of brackets, functions, `if`, `not` and minus signs.
const DEEPEST: usize = 12;

/// A part of an expression with its place.
#[derive(Clone, Debug)]
pub(super) struct Syntax {
    pub(super) form: SyntaxForm,
    /// The column of its first character or of its operator, counted from 1.
    pub(super) column: usize,
}

#[derive(Clone, Debug)]
pub(super) enum SyntaxForm {
    Number(i32),
    Name(String),
    Call(String, Vec<Syntax>),
    Negative(Box<Syntax>),
    Not(Box<Syntax>),
    Two(Operator, Box<[Syntax; 2]>),
    /// The condition, the value if it holds, and the value if not.
    If(Box<[Syntax; 3]>),
}

/// An operator between two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Div,
    Mod,
}

use Operator::{And, Div, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Minus, Mod, NotEqual, Or, Plus, Times};

const COMPARISONS: &[(&str, Operator)] =
    &[("=", Equal), ("!=", NotEqual), ("<", Less), ("<=", LessOrEqual), (">", Greater), (">=", GreaterOrEqual)];
const SUMS: &[(&str, Operator)] = &[("+", Plus), ("-", Minus)];
const PRODUCTS: &[(&str, Operator)] = &[("*", Times), ("div", Div), ("mod", Mod)];

/// Reads the form of a text.
pub(super) fn parse(text: &str) -> Result<Syntax, ExpressionError> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let whole = parser.whole()?;
    match parser.peek() {
        TokenKind::End => Ok(whole),
        TokenKind::Fixed(")") => Err(parser.error("`)` closes nothing; leave it out or open it before")),
        TokenKind::Fixed("if") => Err(parser.error("`if` needs brackets here; write `(if ... then ... else ...)`")),
        other => Err(parser.error(format!("{} does not follow; put an operator before it", other.shown()))),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

type Parsed = Result<Syntax, ExpressionError>;

impl Parser {
    fn peek(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn column(&self) -> usize {
        self.tokens[self.at].column
    }

    fn error(&self, problem: impl Into<String>) -> ExpressionError {
        ExpressionError { column: self.column(), problem: problem.into() }
    }

    /// Takes the next token if it is this one.
    fn take(&mut self, fixed: &str) -> bool {
        let is_next = matches!(self.peek(), TokenKind::Fixed(text) if *text == fixed);
        self.at += usize::from(is_next);
        is_next
    }

    fn require(&mut self, fixed: &str, after: &str) -> Result<(), ExpressionError> {
        if self.take(fixed) {
            return Ok(());
        }
        Err(self.error(format!("{} stands where `{fixed}` must follow {after}", self.peek().shown())))
    }

    /// Reads a nested part.
    fn deeper(&mut self, read: impl FnOnce(&mut Parser) -> Parsed) -> Parsed {
        if self.depth == DEEPEST {
            return Err(self.error(format!("is nested more than {DEEPEST} deep; name a part of it in `let`")));
        }
        self.depth += 1;
        let part = read(self)?;
        self.depth -= 1;
        Ok(part)
    }

    fn whole(&mut self) -> Parsed {
        let column = self.column();
        if !self.take("if") {
            return self.or();
        }
        self.deeper(|parser| {
            let condition = parser.whole()?;
            parser.require("then", "the condition of `if`")?;
            let then = parser.whole()?;
            parser.require("else", "the value of `then`")?;
            let otherwise = parser.whole()?;
            Ok(Syntax { form: SyntaxForm::If(Box::new([condition, then, otherwise])), column })
        })
    }

    /// Reads parts with operators of one level between them, from the left.
    fn chain(&mut self, operators: &[(&str, Operator)], part: fn(&mut Parser) -> Parsed) -> Parsed {
        let mut left = part(self)?;
        loop {
            let column = self.column();
            let Some((_, operator)) = operators.iter().find(|(sign, _)| self.take(sign)) else {
                return Ok(left);
            };
            let right = part(self)?;
            left = Syntax { form: SyntaxForm::Two(*operator, Box::new([left, right])), column };
        }
    }

    fn or(&mut self) -> Parsed {
        self.chain(&[("or", Or)], Parser::and)
    }

    fn and(&mut self) -> Parsed {
        self.chain(&[("and", And)], Parser::not)
    }

    fn not(&mut self) -> Parsed {
        let column = self.column();
        if !self.take("not") {
            return self.comparison();
        }
        let part = self.deeper(Parser::comparison)?;
        Ok(Syntax { form: SyntaxForm::Not(Box::new(part)), column })
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        let column = self.column();
        let Some((_, operator)) = COMPARISONS.iter().find(|(sign, _)| self.take(sign)) else {
            return Ok(left);
        };
        let right = self.sum()?;
        if COMPARISONS.iter().any(|(sign, _)| matches!(self.peek(), TokenKind::Fixed(text) if text == sign)) {
            return Err(self.error("compares a comparison; write two comparisons with `and` between them"));
        }
        Ok(Syntax { form: SyntaxForm::Two(*operator, Box::new([left, right])), column })
    }

    fn sum(&mut self) -> Parsed {
        self.chain(SUMS, Parser::product)
    }

    fn product(&mut self) -> Parsed {
        self.chain(PRODUCTS, Parser::unary)
    }

    fn unary(&mut self) -> Parsed {
        let column = self.column();
        if !self.take("-") {
            return self.atom();
        }
        let part = self.deeper(Parser::atom)?;
        Ok(Syntax { form: SyntaxForm::Negative(Box::new(part)), column })
    }

    fn atom(&mut self) -> Parsed {
        let column = self.column();
        match self.peek().clone() {
            TokenKind::Number(number) => {
                self.at += 1;
                Ok(Syntax { form: SyntaxForm::Number(number), column })
            }
            TokenKind::Name(name) => {
                self.at += 1;
                if self.take("(") {
                    let parts = self.arguments(&name)?;
                    return Ok(Syntax { form: SyntaxForm::Call(name, parts), column });
                }
                Ok(Syntax { form: SyntaxForm::Name(name), column })
            }
            TokenKind::Fixed("(") => {
                self.at += 1;
                let inside = self.deeper(Parser::whole)?;
                self.require(")", "what `(` opened")?;
                Ok(inside)
            }
            TokenKind::Fixed("if") => Err(self.error("`if` needs brackets here; write `(if ... then ... else ...)`")),
            TokenKind::End => Err(self.error("ends too early; write a number, a name or a function")),
            other => {
                Err(self.error(format!("{} stands where a number, a name or a function must stand", other.shown())))
            }
        }
    }

    /// Reads the arguments of a function behind its opening bracket.
    fn arguments(&mut self, name: &str) -> Result<Vec<Syntax>, ExpressionError> {
        let mut parts = Vec::new();
        loop {
            parts.push(self.deeper(Parser::whole)?);
            if !self.take(",") {
                break;
            }
        }
        self.require(")", &format!("the values of `{name}(`"))?;
        Ok(parts)
    }
}
